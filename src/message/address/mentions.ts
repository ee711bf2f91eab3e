import { addressKey } from "./address-key.ts";

/** Characters of an address: beside them, another address begins or ends. */
const PART = /[\p{L}\p{N}\p{M}.!#$%&'*+/=?^_`{|}~@-]/u;
/** A full stop ends a sentence, not an address. */
const ENDS = /^\.(?![\p{L}\p{N}])/u;

/** Replacement of an erased address. */
export const ERASED = "[erased]";

/**
 * True if the text contains the address, in any case: `Ada@Example.com` in `for <ada@example.com>`, but not in
 * `bada@example.com`. Linear in the text.
 * @param key comparison key of the address
 */
export function mentionsAddress(text: string, key: string): boolean {
  return positionIn(addressKey(text), key, 0) !== -1;
}

/** The text without the address; a text that does not contain it is returned unchanged. */
export function withoutAddress(text: string, key: string): string {
  const compared = addressKey(text);
  if (positionIn(compared, key, 0) === -1) return text;
  // If normalization changes no lengths, the text around the address keeps its letters.
  const shown = compared.length === text.length ? text : compared;
  let rest = "";
  let from = 0;
  for (let at = positionIn(compared, key, 0); at !== -1; at = positionIn(compared, key, from)) {
    rest += shown.slice(from, at) + ERASED;
    from = at + key.length;
  }
  return rest + shown.slice(from);
}

function positionIn(compared: string, key: string, from: number): number {
  for (let at = compared.indexOf(key, from); at !== -1; at = compared.indexOf(key, at + 1)) {
    const before = lastCharacter(compared.slice(Math.max(0, at - 2), at));
    const after = compared.slice(at + key.length, at + key.length + 4);
    const [next = ""] = after;
    const isWhole = !PART.test(before) && (!PART.test(next) || ENDS.test(after) || /^[!?'}*_~|`]/.test(next));
    if (isWhole) return at;
  }
  return -1;
}

function lastCharacter(text: string): string {
  return [...text].at(-1) ?? "";
}
