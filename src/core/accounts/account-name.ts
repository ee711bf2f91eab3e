import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";

const MAX_NAME_LENGTH = 100;

/**
 * Reads the name of an account. The name has no effect on other resources.
 * @throws Fault request.validation_failed
 */
export function readAccountName(given: string, pointer = "/name"): string {
  const name = given.trim();
  if (name === "") {
    throw validationFault([{ pointer, code: "field.required", message: say("account_name_missing") }]);
  }
  if (name.length <= MAX_NAME_LENGTH) return name;
  const message = say("name_up_to_characters", { max: MAX_NAME_LENGTH });
  throw validationFault([{ pointer, code: "field.too_long", message }]);
}
