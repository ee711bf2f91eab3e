/** Of shorter parts too much is the same. In UTF-16 code units. */
export const MIN_PART = 3;
/** A text of more units for each part is looked through for each of them: that is quicker than to look up every place in it. */
const MAX_UNITS = 64;

/** Finds what is filed under parts of a text, by three units of each: the three that fewest others have. */
export interface TextParts<T> {
  /** What may be in a text: more than that, and never less. */
  candidates(text: string): Iterable<readonly T[]>;
}

/** @param all each with a part of at least `MIN_PART` units */
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

/** Every three units that follow each other, as a number of 48 bits. */
function* gramsOf(text: string): Generator<number> {
  for (let at = 0; at + MIN_PART <= text.length; at++)
    yield (text.charCodeAt(at) * 65_536 + text.charCodeAt(at + 1)) * 65_536 + text.charCodeAt(at + 2);
}
