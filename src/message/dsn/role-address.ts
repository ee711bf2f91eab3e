import { addressKey } from "../address/address-key.ts";

/** The operator of a mail server reads mail to these roles (RFC 5321 section 4.5.1, RFC 2142 sections 2 and 5). */
const ROLES = ["postmaster", "abuse"];

/** Maximum size of one mail to them, because it is held in memory for any sender. */
export const MAX_ROLE_MAIL_BYTES = 1024 * 1024;

/**
 * Address of a role in the bounce domain, in its usual spelling; undefined: it is not a role. `postmaster` also works without a
 * domain (RFC 5321 section 4.1.1.3).
 */
export function roleAddress(address: string, bounceDomain: string | undefined): string | undefined {
  if (bounceDomain === undefined) return undefined;
  const key = addressKey(address === "" || address.includes("@") ? address : `${address}@${bounceDomain}`);
  const role = ROLES.find((name) => key === addressKey(`${name}@${bounceDomain}`));
  if (role === undefined || (role !== "postmaster" && !address.includes("@"))) return undefined;
  return `${role}@${bounceDomain}`.toLowerCase();
}
