import { toDouble } from "../bson/numbers.ts";
import { shellText } from "../bson/shell-text.ts";
import { type Doc, isNumeric } from "../bson/values.ts";
import { CommandError, notImplemented } from "../errors.ts";
import type { KeyField } from "../storage/index-keys.ts";

/** Parses `{ field: 1 | -1, ... }`. */
export function parseSort(sort: Doc): KeyField[] {
  return [...sort].map(([path, direction]) => {
    if (direction instanceof Map) throw notImplemented("sorting by $meta");
    const value = isNumeric(direction) ? toDouble(direction) : Number.NaN;
    if (!isNumeric(direction)) {
      throw new CommandError(15974, `Illegal key in $sort specification: ${path}: ${shellText(direction)}`);
    }
    if (Math.abs(value) !== 1) {
      throw new CommandError(15975, "$sort key ordering must be 1 (for ascending) or -1 (for descending)");
    }
    return { path, parts: path.split("."), descending: value < 0 };
  });
}
