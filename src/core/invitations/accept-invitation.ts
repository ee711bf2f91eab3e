import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  AcceptInvitationRequest,
  AcceptInvitationResponseSchema,
  JoinAccountRequest,
  JoinAccountResponseSchema,
} from "../../../gen/hermod/invitation/v1/invitation_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Audit } from "../../shared/audit.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { newId } from "../../shared/ids.ts";
import type { MemberRole, UserDocument } from "../../store/documents.ts";
import type { Accepted, Joiner } from "../../store/invitation-store.ts";
import type { InvitationDocument } from "../../store/user-documents.ts";
import { checkNewPassword } from "../access/check-new-password.ts";
import { includesRole } from "../access/grants.ts";
import { roles } from "../access/roles.ts";
import { createBeginSession } from "../sessions/begin-session.ts";
import { wordsOfEmail } from "../users/user-email.ts";
import { openInvitation } from "./find-invitation.ts";
import type { InvitationNeeds } from "./invitation.ts";

/** Joins an account with the link of an invitation: the membership is created and the link is used up in one step. */
export function createAcceptInvitation(needs: InvitationNeeds) {
  const { store, clock, passwords } = needs;
  const beginSession = createBeginSession({ store, clock });

  async function accept(invitation: InvitationDocument, joiner: Joiner, audit: Audit): Promise<void> {
    const acceptance = { now: clock.now(), joiner, mayStand };
    refuse(await store.acrossAccounts.invitations.accept(invitation.hash, acceptance, audit), invitation);
  }

  return {
    /**
     * Creates a user with the invitation's address and the chosen password, and starts a session.
     *
     * @throws Fault invitation.unknown, invitation.user_exists, request.validation_failed, auth.throttled,
     *   service.busy
     */
    acceptInvitation: async (
      { token, password }: AcceptInvitationRequest,
      context: Pick<HandlerContext, "identity" | "audit">,
    ): Promise<MessageInitShape<typeof AcceptInvitationResponseSchema>> => {
      const invitation = await openInvitation(needs, token);
      const { email, accountId } = invitation;
      if (await store.users.findByEmail(email)) refuse("user_exists", invitation);
      const known = wordsOfEmail(email);
      const clientAddress = context.identity?.clientAddress;
      await checkNewPassword(needs, { password, pointer: "/password", known, email, clientAddress });
      const now = clock.now();
      const passwordHash = await passwords.hash(password);
      const user: UserDocument = { _id: newId("usr", now), email, passwordHash, createdAt: now };
      await accept(invitation, { kind: "new", user }, context.audit);
      return { accountId, sessionToken: (await beginSession(user, ["password"], context)).token };
    },

    /** @throws Fault invitation.unknown, invitation.other_address, member.exists */
    joinAccount: async (
      { token }: JoinAccountRequest,
      { principal, audit }: Pick<HandlerContext, "principal" | "audit">,
    ): Promise<MessageInitShape<typeof JoinAccountResponseSchema>> => {
      if (!principal) throw fault("auth.session_missing");
      const invitation = await openInvitation(needs, token);
      await accept(invitation, { kind: "known", userId: principal.userId }, audit);
      return { accountId: invitation.accountId };
    },
  };
}

/** An inviter who has left the account, or lost the permission, can no longer admit members. */
function mayStand({ role }: InvitationDocument, inviter: MemberRole | undefined): boolean {
  if (inviter === undefined) return false;
  const held: ReadonlySet<string> = roles[inviter];
  return held.has("members.write") && includesRole(held, role);
}

/** @throws Fault unless the user has joined */
function refuse(accepted: Accepted, { email }: InvitationDocument): void {
  switch (accepted) {
    case "joined":
      return;
    case "unknown":
      throw fault("invitation.unknown");
    case "user_exists":
      throw fault("invitation.user_exists", { public: say("sign_in_to_join", { email }) });
    case "other_address":
      throw fault("invitation.other_address", {
        public: say("invited_address", { email }),
      });
    case "member":
      throw fault("member.exists", { public: say("member_already", { email }) });
  }
}
