import type { Told, Turn } from "./journal-tail.ts";
import { isBehind, type Position } from "./position.ts";

/** Number of stored changes, about 10 MB, for streams that resume. */
const MAX_CHANGES = 30_000;

const sizeOf = ({ changes, resources = [] }: Told) => changes.length + resources.length;

/** Recently reported changes of all accounts. */
export function createRecent() {
  let remembered: readonly Told[] = [];
  let changes = 0;
  /** All changes after this position are stored; undefined: none is stored. */
  let since: Position | undefined;

  function count(told: readonly Told[]): number {
    return told.reduce((sum, one) => sum + sizeOf(one), 0);
  }

  return {
    add(turn: Turn): void {
      if (turn.since) [remembered, changes, since] = [[], 0, turn.since];
      remembered = [...remembered, ...turn.told];
      changes += count(turn.told);
      let gone = 0;
      for (; changes > MAX_CHANGES; gone++) {
        const oldest = remembered[gone] as Told;
        changes -= sizeOf(oldest);
        since = oldest.position;
      }
      if (gone > 0) remembered = remembered.slice(gone);
    },

    /** Changes after a position; undefined: they are not completely known. */
    behind(position: Position): readonly Told[] | undefined {
      if (!since || isBehind(since, position)) return undefined;
      return remembered.filter((told) => isBehind(told.position, position));
    },

    forget(): void {
      [remembered, changes, since] = [[], 0, undefined];
    },
  };
}
