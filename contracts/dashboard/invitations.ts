import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { changing, reading } from "../common/session-access.ts";
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
import { signedIn } from "./sessions.ts";

const c = initContract();

export const invitation = z
  .object({
    id: z
      .string()
      .meta({ description: "Names the invitation.", examples: ["inv_01k9z4c3r8h2v6y0n5t7w1x3q9"] }),
    email: emailAddress,
    role: roleName,
    invited_by: z
      .string()
      .meta({ description: "E-mail address of the one who invites; empty: the operator." }),
    created_at: moment("When it was made."),
    expires_at: moment("Until when its link holds."),
  })
  .meta({ id: "Invitation", description: "Somebody who is to join the account." });

export const openInvitation = z
  .object({
    invitation,
    account_id: accountId,
    account_name: z.string(),
    has_user: z.boolean().meta({
      description: "The address has a user, who signs in and joins; otherwise accepting takes a password.",
    }),
  })
  .meta({ id: "OpenInvitation", description: "What the link of an invitation is for." });

const pathParams = z.object({ invitation_id: z.string() });

export const invitations = c.router({
  listInvitations: {
    method: "GET",
    path: "/api/invitations",
    summary: "List invitations",
    description: "Those that are open, oldest first.",
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
    summary: "Invite somebody",
    description:
      "Mails a link that works once, for this address, for seven days. A member cannot give a role that allows more than their own.",
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
    summary: "Send an invitation again",
    description: "Mails a new link, which holds for seven days; the former one is void.",
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
    description: "Its link is void at once.",
    ...changing({
      access: "members.write",
      faults: ["invitation.unknown", "member.grant_exceeded"],
      success: { 204: c.noBody() },
    }),
  },
  findInvitation: {
    method: "POST",
    path: "/api/invitation/find",
    summary: "See what a link is for",
    description:
      "The token stands behind `#` in the link of the mail, and in no address that a server is sent.",
    body: z.strictObject({ token: linkToken }).meta({ id: "FindInvitationRequest" }),
    ...changing({ access: "anyone", faults: ["invitation.unknown"], success: { 200: openInvitation } }),
  },
  acceptInvitation: {
    method: "POST",
    path: "/api/invitation/accept",
    summary: "Accept an invitation as somebody new",
    description: "Makes the user, who chooses a password, and begins a session.",
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
    summary: "Accept an invitation as who is signed in",
    description: "The invitation must be for the user's own address.",
    body: z.strictObject({ token: linkToken }).meta({ id: "JoinAccountRequest" }),
    ...changing({
      access: "signed_in",
      faults: ["invitation.unknown", "invitation.other_address", "member.exists"],
      success: {
        200: z
          .object({ account_id: accountId })
          .meta({ id: "JoinedAccount", description: "What was joined." }),
      },
    }),
  },
});
