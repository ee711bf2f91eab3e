import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  InvitationService,
  type ListInvitationsRequest,
  type ListInvitationsResponseSchema,
  type RevokeInvitationRequest,
  type RevokeInvitationResponseSchema,
} from "../../../gen/hermod/invitation/v1/invitation_service_pb.ts";
import { defineArea } from "../../rpc/area.ts";
import { changes, LOOKS, unaudited } from "../../rpc/audits.ts";
import { FRONT_ENDS, type HandlerContext, permitted, SIGNED_IN } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { requireRoleGrants } from "../access/grants.ts";
import { pageOfAccount } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createAcceptInvitation } from "./accept-invitation.ts";
import { createFindInvitation } from "./find-invitation.ts";
import { type InvitationNeeds, toInvitation } from "./invitation.ts";
import { createCreateInvitation, createResendInvitation } from "./mail-invitation.ts";

/** Invitations to an account, by mail. */
export const invitations = defineArea({
  service: InvitationService,
  callers: {
    createInvitation: permitted("members.write"),
    listInvitations: permitted("members.read"),
    resendInvitation: permitted("members.write"),
    revokeInvitation: permitted("members.write"),
    findInvitation: FRONT_ENDS,
    acceptInvitation: FRONT_ENDS,
    joinAccount: SIGNED_IN,
  },
  audits: {
    createInvitation: changes("invitation.create", "email"),
    listInvitations: LOOKS,
    resendInvitation: changes("invitation.resend", "invitationId"),
    revokeInvitation: changes("invitation.revoke", "invitationId"),
    findInvitation: unaudited("it shows what the mail with the link says"),
    acceptInvitation: changes("invitation.accept"),
    joinAccount: changes("invitation.join"),
  },
  handlers: (needs: InvitationNeeds) => ({
    createInvitation: createCreateInvitation(needs),
    listInvitations: createListInvitations(needs),
    resendInvitation: createResendInvitation(needs),
    revokeInvitation: createRevokeInvitation(needs),
    findInvitation: createFindInvitation(needs),
    ...createAcceptInvitation(needs),
  }),
});

/** Those that are open, oldest first. */
function createListInvitations({ store, clock }: InvitationNeeds) {
  return async (
    request: ListInvitationsRequest,
  ): Promise<MessageInitShape<typeof ListInvitationsResponseSchema>> => {
    const { entries, nextPageToken } = await pageOfAccount(request, {
      store,
      list: (account, page) => account.invitations.list(page, clock.now()),
      placeOf: ({ _id }) => _id,
    });
    return { invitations: entries.map(toInvitation), nextPageToken };
  };
}

/** @throws Fault account.unknown, invitation.unknown, member.grant_exceeded */
function createRevokeInvitation({ store }: InvitationNeeds) {
  return async (
    request: RevokeInvitationRequest,
    { principal, audit }: Pick<HandlerContext, "principal" | "audit">,
  ): Promise<MessageInitShape<typeof RevokeInvitationResponseSchema>> => {
    const { invitations } = await resolveAccount(store, request);
    const invitation = await invitations.find(request.invitationId);
    if (invitation) requireRoleGrants(principal, invitation.role);
    if (invitation && (await invitations.remove(invitation._id, audit))) return {};
    throw fault("invitation.unknown");
  };
}
