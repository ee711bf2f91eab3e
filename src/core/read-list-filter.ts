import { validationFault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { unicodeName } from "../shared/unicode-name.ts";
import { foldName } from "../store/search-keys.ts";

/** Longest name: a local part of 64 octets and a domain of 253. */
const SEARCH_MAX = 320;
/**
 * Reads the search text for names.
 * @returns whether a name contains it, in A-labels or Unicode; undefined: no search
 * @throws Fault request.validation_failed
 */
export function readSearch(text: string): ((name: string) => boolean) | undefined {
  if (text.length > SEARCH_MAX) {
    const message = say("field_at_most_characters", { field: "search", max: SEARCH_MAX });
    throw validationFault([{ pointer: "/search", code: "field.invalid", message }]);
  }
  const words = foldName(text);
  if (words === "") return undefined;
  return (name) => foldName(name).includes(words) || foldName(readable(name)).includes(words);
}

/** An address or a domain without A-labels. */
function readable(name: string): string {
  const at = name.lastIndexOf("@") + 1;
  return name.slice(0, at) + unicodeName(name.slice(at));
}

/**
 * Reads a filter with a few possible values.
 * @returns undefined: the request has no such filter
 * @throws Fault request.validation_failed
 */
export function readChoice<Value extends string>(
  field: string,
  text: string,
  values: readonly Value[],
): Value | undefined {
  if (text === "") return undefined;
  const known = values.find((value) => value === text);
  if (known !== undefined) return known;
  const message = say("field_one_of", { field, allowed: values });
  throw validationFault([{ pointer: `/${field}`, code: "field.invalid", message }]);
}
