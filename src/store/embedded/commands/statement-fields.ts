import type { Doc } from "../bson/values.ts";
import { CommandError, notImplemented } from "../errors.ts";

/** The same check for a statement of a bulk write as `checkFields` makes for a command. */
export function refuseUnknown(
  where: string,
  statement: Doc,
  known: readonly string[],
  refused: readonly string[],
): void {
  for (const [field, value] of statement) {
    if (known.includes(field)) continue;
    if (refused.includes(field)) {
      if (value === null || (value instanceof Map && value.size === 0)) continue;
      throw notImplemented(`the option '${field}' of ${where}`);
    }
    throw new CommandError(40415, `BSON field '${where}.${field}' is an unknown field.`);
  }
}
