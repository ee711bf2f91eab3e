import { InvitationService } from "../../../gen/hermod/invitation/v1/invitation_service_pb.ts";
import { prepareArea } from "../../rpc/area.ts";
import { changes, READS, unaudited } from "../../rpc/audits.ts";
import { FRONT_ENDS, permitted, SIGNED_IN } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { requireRoleGrants } from "../access/grants.ts";
import { pageOfAccount } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createAcceptInvitation } from "./accept-invitation.ts";
import { createFindInvitation } from "./find-invitation.ts";
import { type InvitationNeeds, toInvitation } from "./invitation.ts";
import { createCreateInvitation, createResendInvitation } from "./mail-invitation.ts";

/** Invitations to an account, sent by mail. */
export const invitations = prepareArea(InvitationService, partsOf, {
  createInvitation: [
    permitted("members.write"),
    changes("invitation.create", "email"),
    createCreateInvitation,
  ],
  /** Lists open invitations, oldest first. */
  listInvitations: [
    permitted("members.read"),
    READS,
    ({ store, clock }) =>
      async (request) => {
        const { entries, nextPageToken } = await pageOfAccount(request, {
          store,
          list: (account, page) => account.invitations.list(page, clock.now()),
          cursorOf: ({ _id }) => _id,
        });
        return { invitations: entries.map(toInvitation), nextPageToken };
      },
  ],
  resendInvitation: [
    permitted("members.write"),
    changes("invitation.resend", "invitationId"),
    createResendInvitation,
  ],
  /** @throws Fault account.unknown, invitation.unknown, member.grant_exceeded */
  revokeInvitation: [
    permitted("members.write"),
    changes("invitation.revoke", "invitationId"),
    ({ store }) =>
      async (request, { principal, audit }) => {
        const { invitations } = await resolveAccount(store, request);
        const invitation = await invitations.find(request.invitationId);
        if (invitation) requireRoleGrants(principal, invitation.role);
        if (invitation && (await invitations.remove(invitation._id, audit))) return {};
        throw fault("invitation.unknown");
      },
  ],
  findInvitation: [FRONT_ENDS, unaudited("it shows what the mail with the link says"), createFindInvitation],
  acceptInvitation: [FRONT_ENDS, changes("invitation.accept"), (needs) => needs.acceptInvitation],
  joinAccount: [SIGNED_IN, changes("invitation.join"), (needs) => needs.joinAccount],
});

function partsOf(needs: InvitationNeeds) {
  return { ...needs, ...createAcceptInvitation(needs) };
}
