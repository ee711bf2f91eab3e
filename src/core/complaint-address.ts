import { sameAddress } from "../message/addresses.ts";

/**
 * Whether an address is the one to give to feedback loops: they send what they have to one address and tell the
 * return path of the message, by which it is found, within the report.
 */
export function isComplaintAddress(address: string, bounceDomain: string | undefined): boolean {
  return bounceDomain !== undefined && sameAddress(address, `complaints@${bounceDomain}`);
}
