import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  FindInvitationRequest,
  FindInvitationResponseSchema,
} from "../../../gen/hermod/invitation/v1/invitation_service_pb.ts";
import { fault } from "../../shared/fault.ts";
import { hashOfLinkToken } from "../../shared/secrets.ts";
import type { InvitationDocument } from "../../store/user-documents.ts";
import { type InvitationNeeds, toInvitation } from "./invitation.ts";

/**
 * The invitation of a token.
 * @throws Fault invitation.unknown, also for a used, revoked or expired one
 */
export async function openInvitation(
  { store, clock }: Pick<InvitationNeeds, "store" | "clock">,
  token: string,
): Promise<InvitationDocument & { readonly hash: string }> {
  const hash = hashOfLinkToken(token);
  const invitation = hash === undefined ? null : await store.acrossAccounts.invitations.findByHash(hash);
  if (!invitation || invitation.expireAt <= clock.now()) throw fault("invitation.unknown");
  return invitation;
}

/** Returns the invitation of a link. A client with the link has access to the mailbox that it was sent to. */
export function createFindInvitation(needs: InvitationNeeds) {
  const { store } = needs;
  return async ({
    token,
  }: FindInvitationRequest): Promise<MessageInitShape<typeof FindInvitationResponseSchema>> => {
    const invitation = await openInvitation(needs, token);
    const [account, user] = await Promise.all([
      store.accounts.find(invitation.accountId),
      store.users.findByEmail(invitation.email),
    ]);
    if (!account) throw fault("invitation.unknown");
    return {
      invitation: toInvitation(invitation),
      accountId: account._id,
      accountName: account.name,
      hasUser: user !== null,
    };
  };
}
