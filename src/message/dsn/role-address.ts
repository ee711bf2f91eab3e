import { addressKey } from "../address/addresses.ts";

/** The operator of a mail server reads mail to these (RFC 5321 section 4.5.1, RFC 2142 sections 2 and 5). */
const ROLES = ["postmaster", "abuse"];

/** The most octets of one mail to them: it is held in memory, whoever it comes from. */
export const MAX_ROLE_MAIL_BYTES = 1024 * 1024;

/**
 * The address of a role in the domain of bounces, in its usual spelling; undefined: it is none. `postmaster` is one
 * without a domain too (RFC 5321 section 4.1.1.3).
 */
export function roleAddress(address: string, bounceDomain: string | undefined): string | undefined {
  if (bounceDomain === undefined) return undefined;
  const key = addressKey(address === "" || address.includes("@") ? address : `${address}@${bounceDomain}`);
  const role = ROLES.find((name) => key === addressKey(`${name}@${bounceDomain}`));
  if (role === undefined || (role !== "postmaster" && !address.includes("@"))) return undefined;
  return `${role}@${bounceDomain}`.toLowerCase();
}
