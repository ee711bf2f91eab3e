/**
 * The known name with the fewest edits: insertions, deletions, changes and swaps of neighboring characters (optimal
 * string alignment). The first of several.
 * @returns undefined if no known name is similar: a sixth of the characters may differ, and two always
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let fewest = Math.max(2, Math.floor(name.length / 6)) + 1;
  for (const candidate of known) {
    const edits = editsBetween(name, candidate);
    if (edits < fewest) [nearest, fewest] = [candidate, edits];
  }
  return nearest;
}

function editsBetween(from: string, to: string): number {
  let older: number[] = [];
  let old = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (old[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (old[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (older[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [older, old] = [old, current];
  }
  return old[to.length] ?? 0;
}
