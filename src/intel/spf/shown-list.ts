import { type Phrase, phrase, phrases } from "../../shared/phrase.ts";
import { shorten } from "./shown-terms.ts";

/** A list at the end of a sentence. */
export interface ShownList {
  /** Its entries, with the punctuation behind them. */
  readonly list: string;
  /** Continues a list that is cut. Empty: the list is whole. */
  readonly more: Phrase;
}

export const MAX_SHOWN = 5;
const MAX_ENTRY = 300;

/** The first entries, and a period. */
export function listed(texts: readonly string[]): ShownList {
  const entries = texts.slice(0, MAX_SHOWN).map((text) => shorten(text, MAX_ENTRY));
  return shownList([entries.join(", "), ...moreThan(texts.length), "."]);
}

/** The pieces behind the shown entries of a list. */
export function moreThan(count: number): (string | number)[] {
  return count > MAX_SHOWN ? [", ", count - MAX_SHOWN] : [];
}

/** @param pieces texts, and numbers of entries that are left out at their place */
export function shownList(pieces: readonly (string | number)[]): ShownList {
  let list = "";
  const cuts: { more: number; rest: string }[] = [];
  for (const piece of pieces) {
    const cut = cuts.at(-1);
    if (typeof piece === "number") cuts.push({ more: piece, rest: "" });
    else if (cut) cut.rest += piece;
    else list += piece;
  }
  // Phrases are joined by spaces.
  const more = cuts.map((cut) => phrase("spf.more", { ...cut, rest: cut.rest.trimEnd() }));
  return { list: list.trimEnd(), more: phrases(...more) };
}
