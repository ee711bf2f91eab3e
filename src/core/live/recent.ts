import type { LiveEvent, TailBatch } from "./journal-tail.ts";
import { isBehind, type Position } from "./position.ts";

/** Number of stored changes, about 10 MB, for streams that resume. */
const MAX_CHANGES = 30_000;

const sizeOf = ({ changes, resources = [] }: LiveEvent) => changes.length + resources.length;

/** Recently reported changes of all accounts. */
export function createRecent() {
  let remembered: readonly LiveEvent[] = [];
  let changes = 0;
  /** All changes after this position are stored; undefined: none is stored. */
  let since: Position | undefined;

  function count(events: readonly LiveEvent[]): number {
    return events.reduce((sum, one) => sum + sizeOf(one), 0);
  }

  return {
    add(batch: TailBatch): void {
      if (batch.since) [remembered, changes, since] = [[], 0, batch.since];
      remembered = [...remembered, ...batch.events];
      changes += count(batch.events);
      let gone = 0;
      for (; changes > MAX_CHANGES; gone++) {
        const oldest = remembered[gone] as LiveEvent;
        changes -= sizeOf(oldest);
        since = oldest.position;
      }
      if (gone > 0) remembered = remembered.slice(gone);
    },

    /** Changes after a position; undefined: they are not completely known. */
    behind(position: Position): readonly LiveEvent[] | undefined {
      if (!since || isBehind(since, position)) return undefined;
      return remembered.filter((events) => isBehind(events.position, position));
    },

    forget(): void {
      [remembered, changes, since] = [[], 0, undefined];
    },
  };
}
