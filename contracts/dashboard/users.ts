import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { changing } from "../common/session-access.ts";
import { emailAddress, linkToken, newPassword } from "./common.ts";
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
});
