import { validationFault } from "../../shared/fault.ts";

const MAX_NAME_LENGTH = 100;

/**
 * A name of an account; nothing depends on it.
 * @throws Fault request.validation_failed
 */
export function readAccountName(given: string, pointer = "/name"): string {
  const name = given.trim();
  if (name === "") {
    throw validationFault([{ pointer, code: "field.required", message: "An account has a name." }]);
  }
  if (name.length <= MAX_NAME_LENGTH) return name;
  const message = `A name has up to ${MAX_NAME_LENGTH} characters.`;
  throw validationFault([{ pointer, code: "field.too_long", message }]);
}
