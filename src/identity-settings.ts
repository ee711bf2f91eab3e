import { z } from "zod";
import { parseFromMailbox } from "./message/address/from-field.ts";
import { list, optional, text } from "./setting-kinds.ts";
import { isLoopback } from "./shared/address-range.ts";

const ROLE_ENTRY = /^.+=(owner|admin|developer|support|viewer)$/;
const ROLE_ENTRY_FORM =
  "must be value=role, comma-separated, with the role owner, admin, developer, support or viewer";

/** What goes to a provider unencrypted must not leave this machine. */
function isIssuer(issuer: string | undefined): boolean {
  if (issuer === undefined) return true;
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
}

/** How people come in, and what they are sent. */
export const identitySettings = {
  HERMOD_MAIL_FROM: optional()
    .refine(
      (given) => given === undefined || parseFromMailbox(given).ok,
      "must be an e-mail address, or a name and <address>",
    )
    .transform((given) => {
      const parsed = given === undefined ? undefined : parseFromMailbox(given);
      return parsed?.ok ? parsed.mailbox : undefined;
    })
    .describe(
      "Sender of mail of Hermod's own (invitations, new passwords, notices), as Hermod <hermod@example.com>; empty: it sends none, and the command line does what takes mail.",
    ),
  HERMOD_MAIL_POLICY: optional().describe(
    "Ignored: the operator stores the policy of that mail with `hermod policy put FILE --account system`.",
  ),
  HERMOD_SIGN_UP: z
    .enum(["closed", "open"])
    .default("closed")
    .describe(
      "Whether strangers may sign up, once they have confirmed their address by mail, and get an account of their own.",
    ),
  HERMOD_OIDC_ISSUER: optional()
    .refine(isIssuer, "must be an https:// URL, or an http:// URL of this machine")
    .describe(
      "Provider of OpenID Connect by which people sign in, as https://login.example.com; empty: none.",
    ),
  HERMOD_OIDC_CLIENT_ID: optional().describe("Name of Hermod to that provider."),
  HERMOD_OIDC_CLIENT_SECRET: optional().describe(
    "Secret of Hermod to that provider; empty: a public client.",
  ),
  HERMOD_OIDC_NAME: text("single sign-on").describe("What the sign-in page calls that provider."),
  HERMOD_OIDC_SCOPES: text("openid email profile").describe("What is asked of that provider."),
  HERMOD_OIDC_ROLE_CLAIM: text("groups").describe(
    "Claim of that provider that roles follow from, as groups or realm_access.roles.",
  ),
  HERMOD_OIDC_ROLES: list()
    .refine((entries) => entries.every((entry) => ROLE_ENTRY.test(entry)), ROLE_ENTRY_FORM)
    .describe(
      "Roles of people whom that provider brings, by the values of the claim, as mail-admins=admin,*=viewer; the first that holds counts; empty: it brings nobody, and users link themselves.",
    ),
  HERMOD_OIDC_ACCOUNT: optional().describe("Id of the account that they come into; empty: the first one."),
} as const;
