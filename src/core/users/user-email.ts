import { addressKey, parseAddress } from "../../message/address/addresses.ts";
import { validationFault } from "../../shared/fault.ts";

/**
 * The address of a user, as users are compared and shown: in any case, and with spaces around it that a paste has brought.
 * @throws Fault request.validation_failed
 */
export function readUserEmail(given: string, pointer = "/email"): string {
  const result = parseAddress(given.trim());
  if (result.ok) return addressKey(result.address);
  throw validationFault([{ pointer, code: result.code, message: result.message }]);
}

/** What of an address is no secret, and so no password. */
export function wordsOfEmail(email: string): readonly string[] {
  return [email, ...email.split("@")];
}
