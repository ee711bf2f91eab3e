import { z } from "zod";
import { parseFromMailbox } from "./message/address/from-field.ts";
import { list, optional, text } from "./setting-kinds.ts";
import { isLoopback } from "./shared/address-range.ts";

const ROLE_ENTRY = /^.+=(owner|admin|developer|support|viewer)$/;
const ROLE_ENTRY_FORM =
  "must be value=role items, comma-separated; a role is owner, admin, developer, support or viewer";

/** Unencrypted requests to a provider must not leave this machine. */
function isIssuer(issuer: string | undefined): boolean {
  if (issuer === undefined) return true;
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
}

/** Sign-in, sign-up and Hermod's own mail. */
export const identitySettings = {
  HERMOD_MAIL_FROM: optional()
    .refine(
      (given) => given === undefined || parseFromMailbox(given).ok,
      "must be an e-mail address, or a name with <address>",
    )
    .transform((given) => {
      const parsed = given === undefined ? undefined : parseFromMailbox(given);
      return parsed?.ok ? parsed.mailbox : undefined;
    })
    .describe(
      "Sender of Hermod's own mail (invitations, new passwords, notices), for example Hermod <hermod@example.com>. Empty: Hermod sends no such mail, and the operator uses the command line instead.",
    ),
  HERMOD_MAIL_POLICY: optional().describe(
    "Ignored. Store the policy of Hermod's own mail with `hermod policy put FILE --account system`.",
  ),
  HERMOD_SIGN_UP: z
    .enum(["closed", "open"])
    .default("closed")
    .describe(
      "open: new users may sign up without an invitation. They confirm their address by mail and get their own account.",
    ),
  HERMOD_OIDC_ISSUER: optional()
    .refine(isIssuer, "must be an https:// address, or an http:// address of this machine")
    .describe(
      "Address of the OpenID Connect provider for sign-in, for example https://login.example.com. Empty: none.",
    ),
  HERMOD_OIDC_CLIENT_ID: optional().describe("Client id of Hermod at the OpenID Connect provider."),
  HERMOD_OIDC_CLIENT_SECRET: optional().describe(
    "Client secret of Hermod at the OpenID Connect provider. Empty: a public client.",
  ),
  HERMOD_OIDC_NAME: text("single sign-on").describe(
    "Name of the OpenID Connect provider on the sign-in page.",
  ),
  HERMOD_OIDC_SCOPES: text("openid email profile").describe(
    "Scopes that Hermod requests from the OpenID Connect provider.",
  ),
  HERMOD_OIDC_ROLE_CLAIM: text("groups").describe(
    "Claim of the OpenID Connect provider that determines roles, for example groups or realm_access.roles.",
  ),
  HERMOD_OIDC_ROLES: list()
    .refine((entries) => entries.every((entry) => ROLE_ENTRY.test(entry)), ROLE_ENTRY_FORM)
    .describe(
      "Roles of new users from the OpenID Connect provider, by value of the claim, for example mail-admins=admin,*=viewer. The first matching item applies. Empty: the provider creates no users, and existing users link their identity themselves.",
    ),
  HERMOD_OIDC_ACCOUNT: optional().describe(
    "Id of the account that new users from the OpenID Connect provider join. Empty: the first account.",
  ),
} as const;
