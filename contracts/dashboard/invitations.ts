import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { changing, reading } from "../common/session-access.ts";
import { signedIn } from "../common/signed-in.ts";
import {
  accountId,
  emailAddress,
  linkToken,
  moment,
  newPassword,
  page,
  pageQuery,
  roleName,
} from "./common.ts";

const c = initContract();

export const invitation = z
  .object({
    id: z
      .string()
      .meta({ description: "Id of the invitation.", examples: ["inv_01k9z4c3r8h2v6y0n5t7w1x3q9"] }),
    email: emailAddress,
    role: roleName,
    invited_by: z.string().meta({
      description: "E-mail address of the member who sent the invitation; empty if the operator sent it.",
    }),
    created_at: moment("Time when the invitation was created."),
    expires_at: moment("Time when the link expires."),
  })
  .meta({ id: "Invitation", description: "Invitation of a person to the account." });

export const openInvitation = z
  .object({
    invitation,
    account_id: accountId,
    account_name: z.string(),
    has_user: z.boolean().meta({
      description:
        "Whether the address belongs to a user, who signs in and joins. Otherwise, accepting the invitation needs a new password.",
    }),
  })
  .meta({ id: "OpenInvitation", description: "Invitation that a link opens." });

const pathParams = z.object({ invitation_id: z.string() });

export const invitations = c.router({
  listInvitations: {
    method: "GET",
    path: "/api/invitations",
    summary: "List invitations",
    description: "Lists open invitations, oldest first.",
    query: pageQuery,
    ...reading({
      access: "members.read",
      faults: ["request.validation_failed"],
      success: { 200: page("InvitationList", invitation) },
    }),
  },
  createInvitation: {
    method: "POST",
    path: "/api/invitations",
    summary: "Invite a member",
    description:
      "Sends a link to the address. The link works once, for this address, for seven days. A member cannot assign a role with more permissions than their own.",
    body: z.strictObject({ email: emailAddress, role: roleName }).meta({ id: "CreateInvitationRequest" }),
    ...changing({
      access: "members.write",
      faults: [
        "member.exists",
        "member.grant_exceeded",
        "invitation.exists",
        "invitation.too_many",
        "auth.reauthentication_required",
        "mail.not_configured",
        "mail.throttled",
      ],
      success: { 201: invitation },
    }),
  },
  resendInvitation: {
    method: "POST",
    path: "/api/invitations/:invitation_id/resend",
    pathParams,
    summary: "Resend an invitation",
    description: "Sends a new link, valid for seven days. The previous link becomes void.",
    body: c.noBody(),
    ...changing({
      access: "members.write",
      faults: ["invitation.unknown", "member.grant_exceeded", "mail.not_configured", "mail.throttled"],
      success: { 200: invitation },
    }),
  },
  revokeInvitation: {
    method: "DELETE",
    path: "/api/invitations/:invitation_id",
    pathParams,
    summary: "Revoke an invitation",
    description: "Revokes an invitation. Its link becomes void at once.",
    ...changing({
      access: "members.write",
      faults: ["invitation.unknown", "member.grant_exceeded"],
      success: { 204: c.noBody() },
    }),
  },
  findInvitation: {
    method: "POST",
    path: "/api/invitation/find",
    summary: "Get the invitation of a link",
    description:
      "Returns the invitation of a link. The token is the part of the link after `#`, which browsers do not send to servers.",
    body: z.strictObject({ token: linkToken }).meta({ id: "FindInvitationRequest" }),
    ...changing({ access: "anyone", faults: ["invitation.unknown"], success: { 200: openInvitation } }),
  },
  acceptInvitation: {
    method: "POST",
    path: "/api/invitation/accept",
    summary: "Accept an invitation as a new user",
    description: "Creates the user with the chosen password, and starts a session.",
    body: z.strictObject({ token: linkToken, password: newPassword }).meta({ id: "AcceptInvitationRequest" }),
    ...changing({
      access: "anyone",
      faults: ["invitation.unknown", "invitation.user_exists", "member.exists", "auth.throttled"],
      success: { 200: signedIn },
    }),
  },
  joinAccount: {
    method: "POST",
    path: "/api/invitation/join",
    summary: "Accept an invitation as the signed-in user",
    description: "Adds the signed-in user to the account. The invitation must be for the user's own address.",
    body: z.strictObject({ token: linkToken }).meta({ id: "JoinAccountRequest" }),
    ...changing({
      access: "signed_in",
      faults: ["invitation.unknown", "invitation.other_address", "member.exists"],
      success: {
        200: z
          .object({ account_id: accountId })
          .meta({ id: "JoinedAccount", description: "Account that the user joined." }),
      },
    }),
  },
});
