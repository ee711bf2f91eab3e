/** Minimum length of a part, in UTF-16 code units. Shorter parts are not selective enough. */
export const MIN_PART = 3;
/** A text with more units per part is tested against all parts, which is faster than a lookup at each position. */
const MAX_UNITS = 64;

/** Index by parts of texts. Each part is indexed by the three of its units that are least frequent. */
export interface TextParts<T> {
  /** Returns the parts that a text may contain: possibly too many, never too few. */
  candidates(text: string): Iterable<readonly T[]>;
}

/** @param all entries, each with a part of at least `MIN_PART` units */
export function createTextParts<T>(all: readonly (readonly [part: string, one: T])[]): TextParts<T> {
  const counts = new Map<number, number>();
  for (const [part] of all)
    for (const gram of new Set(gramsOf(part))) counts.set(gram, (counts.get(gram) ?? 0) + 1);
  const byGram = new Map<number, T[]>();
  for (const [part, one] of all) {
    const [rarest = 0] = [...gramsOf(part)].sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0));
    const filed = byGram.get(rarest) ?? [];
    filed.push(one);
    byGram.set(rarest, filed);
  }
  const everything = all.map(([, one]) => one);

  return {
    *candidates(text) {
      if (all.length === 0) return;
      if (text.length > MAX_UNITS * all.length) return yield everything;
      const found = new Set<readonly T[]>();
      for (const gram of gramsOf(text)) {
        const filed = byGram.get(gram);
        if (filed) found.add(filed);
      }
      yield* found;
    },
  };
}

/** Yields every three consecutive units, as a number of 48 bits. */
function* gramsOf(text: string): Generator<number> {
  for (let at = 0; at + MIN_PART <= text.length; at++)
    yield (text.charCodeAt(at) * 65_536 + text.charCodeAt(at + 1)) * 65_536 + text.charCodeAt(at + 2);
}
