import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { changing } from "../common/session-access.ts";
import { signedIn } from "../common/signed-in.ts";
import { accountId, emailAddress, linkToken, newPassword } from "./common.ts";

const c = initContract();

const ofLink = z
  .object({ email: emailAddress })
  .meta({ id: "LinkAddress", description: "Address that a link is for." });
const link = z.strictObject({ token: linkToken });

export const users = c.router({
  requestPasswordReset: {
    method: "POST",
    path: "/api/password-reset",
    summary: "Request a password reset",
    description:
      "Sends a reset link if a user has the address. Neither the response nor its time shows whether one does. The link works once, for 30 minutes.",
    body: z.strictObject({ email: emailAddress }).meta({ id: "RequestPasswordResetRequest" }),
    ...changing({
      access: "anyone",
      faults: ["mail.not_configured", "mail.throttled"],
      success: { 204: c.noBody() },
    }),
  },
  findPasswordReset: {
    method: "POST",
    path: "/api/password-reset/find",
    summary: "Get the address of a password reset link",
    description:
      "Returns the address that a link is for. The token is the part of the link in the mail after `#`.",
    body: link.meta({ id: "FindPasswordResetRequest" }),
    ...changing({ access: "anyone", faults: ["link.unknown"], success: { 200: ofLink } }),
  },
  completePasswordReset: {
    method: "POST",
    path: "/api/password-reset/complete",
    summary: "Choose a new password",
    description: "Sets the new password and ends all sessions of the user. Starts no session.",
    body: link.extend({ new_password: newPassword }).meta({ id: "CompletePasswordResetRequest" }),
    ...changing({ access: "anyone", faults: ["link.unknown", "auth.throttled"], success: { 200: ofLink } }),
  },
  requestSignUp: {
    method: "POST",
    path: "/api/sign-up",
    summary: "Sign up",
    description:
      "Sends a confirmation link to the address, if the operator has enabled sign-up. The link is valid for one day.",
    body: z.strictObject({ email: emailAddress }).meta({ id: "RequestSignUpRequest" }),
    ...changing({
      access: "anyone",
      faults: ["sign_up.closed", "mail.not_configured", "mail.throttled"],
      success: { 204: c.noBody() },
    }),
  },
  findSignUp: {
    method: "POST",
    path: "/api/sign-up/find",
    summary: "Get the address of a sign-up link",
    description:
      "Returns the address that a link is for. The token is the part of the link in the mail after `#`.",
    body: link.meta({ id: "FindSignUpRequest" }),
    ...changing({ access: "anyone", faults: ["sign_up.closed", "link.unknown"], success: { 200: ofLink } }),
  },
  completeSignUp: {
    method: "POST",
    path: "/api/sign-up/complete",
    summary: "Confirm the address and create the user",
    description: "Creates the user and an account that the user owns, and starts a session.",
    body: link
      .extend({
        password: newPassword,
        account_name: z.string().meta({ description: "1 to 100 characters.", examples: ["Acme"] }),
      })
      .meta({ id: "CompleteSignUpRequest" }),
    ...changing({
      access: "anyone",
      faults: ["sign_up.closed", "link.unknown", "user.exists", "auth.throttled"],
      success: { 200: signedIn },
    }),
  },
  requestEmailChange: {
    method: "POST",
    path: "/api/user/email",
    summary: "Request a change of your address",
    description:
      "Sends a link to the new address and a notice to the current one. The address changes when the link is confirmed within one hour, while the session that made the request is open. The response is the same if another user has the address.",
    body: z.strictObject({ email: emailAddress }).meta({ id: "RequestEmailChangeRequest" }),
    ...changing({
      access: "signed_in",
      faults: ["mail.not_configured", "mail.throttled", "auth.reauthentication_required"],
      success: { 204: c.noBody() },
    }),
  },
  findEmailChange: {
    method: "POST",
    path: "/api/user/email/find",
    summary: "Get the address of a change link",
    description:
      "Returns the address that a link is for. The token is the part of the link in the mail after `#`.",
    body: link.meta({ id: "FindEmailChangeRequest" }),
    ...changing({ access: "anyone", faults: ["link.unknown"], success: { 200: ofLink } }),
  },
  confirmEmailChange: {
    method: "POST",
    path: "/api/user/email/confirm",
    summary: "Confirm your new address",
    description:
      "Changes the address with which the user signs in. Links that were mailed to the former address become void. Sessions continue.",
    body: link.meta({ id: "ConfirmEmailChangeRequest" }),
    ...changing({
      access: "anyone",
      faults: ["link.unknown", "user.exists"],
      success: { 200: ofLink },
    }),
  },
  leaveAccount: {
    method: "POST",
    path: "/api/user/leave",
    summary: "Leave an account",
    description:
      "Ends your membership at once. The last owner cannot leave. The session continues with a new token in another of your accounts.",
    body: z.strictObject({ account_id: accountId }).meta({ id: "LeaveAccountRequest" }),
    ...changing({
      access: "signed_in",
      faults: ["account.unknown", "member.last_owner", "auth.reauthentication_required"],
      success: { 200: signedIn },
    }),
  },
  createOwnAccount: {
    method: "POST",
    path: "/api/user/accounts",
    summary: "Create another account",
    description:
      "Creates an account that you own, if the operator has enabled sign-up. Its mail is captured until a policy changes that. The session stays in the current account.",
    body: z
      .strictObject({
        name: z.string().meta({ description: "1 to 100 characters.", examples: ["Acme"] }),
      })
      .meta({ id: "CreateOwnAccountRequest" }),
    ...changing({
      access: "signed_in",
      faults: ["sign_up.closed", "account.too_many"],
      success: {
        201: z
          .object({ account_id: accountId })
          .meta({ id: "OwnAccount", description: "Account that was created." }),
      },
    }),
  },
});
