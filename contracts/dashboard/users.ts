import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { changing } from "../common/session-access.ts";
import { accountId, emailAddress, linkToken, newPassword } from "./common.ts";
import { signedIn } from "./sessions.ts";

const c = initContract();

const ofLink = z
  .object({ email: emailAddress })
  .meta({ id: "LinkAddress", description: "Whose address a link is for." });
const link = z.strictObject({ token: linkToken });

export const users = c.router({
  requestPasswordReset: {
    method: "POST",
    path: "/api/password-reset",
    summary: "Ask for a new password",
    description:
      "Mails a link if anybody has the address; neither the answer nor its time says whether. The link works once, for 30 minutes.",
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
    summary: "See whose password a link is for",
    description: "The token stands behind `#` in the link of the mail.",
    body: link.meta({ id: "FindPasswordResetRequest" }),
    ...changing({ access: "anyone", faults: ["link.unknown"], success: { 200: ofLink } }),
  },
  completePasswordReset: {
    method: "POST",
    path: "/api/password-reset/complete",
    summary: "Choose a new password",
    description: "Ends all sessions of the user, and begins none.",
    body: link.extend({ new_password: newPassword }).meta({ id: "CompletePasswordResetRequest" }),
    ...changing({ access: "anyone", faults: ["link.unknown", "auth.throttled"], success: { 200: ofLink } }),
  },
  requestSignUp: {
    method: "POST",
    path: "/api/sign-up",
    summary: "Sign up",
    description:
      "Mails a link to confirm the address, where the operator has opened signing up. It holds for a day.",
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
    summary: "See which address a link confirms",
    description: "The token stands behind `#` in the link of the mail.",
    body: link.meta({ id: "FindSignUpRequest" }),
    ...changing({ access: "anyone", faults: ["sign_up.closed", "link.unknown"], success: { 200: ofLink } }),
  },
  completeSignUp: {
    method: "POST",
    path: "/api/sign-up/complete",
    summary: "Confirm the address, and begin",
    description: "Makes the user and an account that he owns, and begins a session.",
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
    summary: "Ask to change your address",
    description:
      "Mails a link to the new address and a notice to the present one. The address changes when the link is confirmed, within an hour and while the session that asked goes on. The answer is the same where another user has the address.",
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
    summary: "See which new address a link confirms",
    description: "The token stands behind `#` in the link of the mail.",
    body: link.meta({ id: "FindEmailChangeRequest" }),
    ...changing({ access: "anyone", faults: ["link.unknown"], success: { 200: ofLink } }),
  },
  confirmEmailChange: {
    method: "POST",
    path: "/api/user/email/confirm",
    summary: "Confirm your new address",
    description:
      "Changes the address that the user signs in with. Links that were mailed to the former address are void. Sessions go on.",
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
      "Ends your membership at once. The last owner cannot leave. The session goes on under a new token, and looks at another account of yours.",
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
      "Creates an account that you own, where the operator has opened sign-up. Its mail is captured until a policy says otherwise. The session goes on in the present account.",
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
