import { addressKey } from "../../message/address/address-key.ts";
import { parseAddress } from "../../message/address/addresses.ts";
import { validationFault } from "../../shared/fault.ts";

/**
 * Address of a user in comparison form: case-insensitive, and without surrounding spaces of pasted text.
 * @throws Fault request.validation_failed
 */
export function readUserEmail(given: string, pointer = "/email"): string {
  const result = parseAddress(given.trim());
  if (result.ok) return addressKey(result.address);
  throw validationFault([{ pointer, code: result.code, message: result.message }]);
}

/** Parts of an address, which are not secret and so not accepted as a password. */
export function wordsOfEmail(email: string): readonly string[] {
  return [email, ...email.split("@")];
}
