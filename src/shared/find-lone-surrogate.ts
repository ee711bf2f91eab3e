import { jsonPointer } from "./json-pointer.ts";

/** In UTF-8 text, only an escape can encode half of a surrogate pair. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/**
 * JSON pointer to the first string, or to the object with the first key, that is not well-formed Unicode.
 * @param value parsed from `text`
 */
export function findLoneSurrogate(value: unknown, text: string): string | undefined {
  return SURROGATE_ESCAPE.test(text) ? find(value, "") : undefined;
}

function find(value: unknown, pointer: string): string | undefined {
  if (typeof value === "string") return value.isWellFormed() ? undefined : pointer;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    if (!key.isWellFormed()) return pointer;
    const found = find(inner, pointer + jsonPointer([key]));
    if (found !== undefined) return found;
  }
  return undefined;
}
