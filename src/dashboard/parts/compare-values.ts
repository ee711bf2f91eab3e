/** A piece of a value. Marked if the other value lacks it. */
export interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
}

/**
 * Compares the expected and the found value: by the parts of a TXT record value, and by characters within a part that differs.
 * The pieces of each side form its whole value.
 */
export function compareValues(wanted: string, found: string): { wanted: Piece[]; found: Piece[] } {
  const [left, right] = [partsOf(wanted), partsOf(found)];
  const sides: { wanted: Piece[]; found: Piece[] } = { wanted: [], found: [] };
  let [from, to] = [0, 0];
  for (const [at, other] of [...shared(left, right), [left.length, right.length] as const]) {
    const gap = compareTexts(left.slice(from, at).join(""), right.slice(to, other).join(""));
    sides.wanted.push(...gap.wanted);
    sides.found.push(...gap.found);
    if (at < left.length) {
      sides.wanted.push({ text: left[at] as string, isMarked: false });
      sides.found.push({ text: right[other] as string, isMarked: false });
    }
    [from, to] = [at + 1, other + 1];
  }
  return { wanted: joined(sides.wanted), found: joined(sides.found) };
}

/** Splits a value of DKIM or DMARC at its semicolons, and a value of SPF at its spaces. */
function partsOf(value: string): string[] {
  return value.match(value.includes(";") ? /[^;]+;?\s*|;/g : /\S+\s*|\s+/g) ?? [];
}

/** Values with more parts are not compared, because the table is quadratic. */
const MOST_PARTS = 200;

/** Positions of the longest common sequence of parts. */
function shared(left: readonly string[], right: readonly string[]): (readonly [number, number])[] {
  if (left.length > MOST_PARTS || right.length > MOST_PARTS) return [];
  const same = (at: number, other: number) => left[at] === right[other];
  const lengths = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  const lengthAt = (at: number, other: number) => lengths[at]?.[other] ?? 0;
  for (let at = left.length - 1; at >= 0; at--) {
    for (let other = right.length - 1; other >= 0; other--) {
      (lengths[at] as number[])[other] = same(at, other)
        ? 1 + lengthAt(at + 1, other + 1)
        : Math.max(lengthAt(at + 1, other), lengthAt(at, other + 1));
    }
  }
  const places: [number, number][] = [];
  for (let at = 0, other = 0; at < left.length && other < right.length; ) {
    if (same(at, other)) places.push([at++, other++]);
    else if (lengthAt(at + 1, other) >= lengthAt(at, other + 1)) at++;
    else other++;
  }
  return places;
}

/** Marks the text between the common beginning and the common end. */
function compareTexts(wanted: string, found: string): { wanted: Piece[]; found: Piece[] } {
  const most = Math.min(wanted.length, found.length);
  let start = 0;
  while (start < most && wanted[start] === found[start]) start++;
  // One character that two parts share by chance does not count.
  if (start < 2) start = 0;
  let end = 0;
  while (end < most - start && wanted.at(-1 - end) === found.at(-1 - end)) end++;
  const pieces = (text: string) => [
    { text: text.slice(0, start), isMarked: false },
    { text: text.slice(start, text.length - end), isMarked: true },
    { text: text.slice(text.length - end), isMarked: false },
  ];
  return { wanted: pieces(wanted), found: pieces(found) };
}

function joined(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    if (piece.text === "") continue;
    const last = result.at(-1);
    if (last?.isMarked === piece.isMarked)
      result[result.length - 1] = { text: last.text + piece.text, isMarked: piece.isMarked };
    else result.push(piece);
  }
  return result;
}
