import type { Change, LiveEvent, ResourceChange } from "./journal-tail.ts";
import type { Position } from "./position.ts";

/** Content of one answer of a stream. */
export interface Report {
  readonly position: Position;
  readonly changes: readonly Change[];
  /** Number of all events, by kind. */
  readonly counts: ReadonlyMap<string, number>;
  /** Number of events that are counted and omitted from the changes. */
  readonly skipped: number;
  /** Other changed resources, each once. */
  readonly resources: readonly ResourceChange[];
  /** Some earlier changes were not reported. */
  readonly gap: boolean;
}

/** A page can show this number of changes; there are at most two reports per second. */
export const MAX_CHANGES = 20;

/** Maximum number of resources in one report. With more, the client reads all resources again. */
export const MAX_RESOURCES = 100;

type Counted = Omit<Report, "position" | "gap" | "resources">;

const NOTHING: Counted = { changes: [], counts: new Map(), skipped: 0 };
/** The summary is shared by streams with the same changes. */
const countedOf = new WeakMap<readonly LiveEvent[], Counted>();

function countedIn(events: readonly LiveEvent[]): Counted {
  const former = countedOf.get(events);
  if (former) return former;
  const counts = new Map<string, number>();
  const changes: Change[] = [];
  let all = 0;
  for (const { changes: added } of events) {
    all += added.length;
    for (const { kind } of added) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    changes.push(...added.slice(0, MAX_CHANGES - changes.length));
  }
  const counted = { changes, counts, skipped: all - changes.length };
  countedOf.set(events, counted);
  return counted;
}

function together(one: Counted, other: Counted): Counted {
  const counts = new Map(one.counts);
  for (const [kind, count] of other.counts) counts.set(kind, (counts.get(kind) ?? 0) + count);
  const changes = [...one.changes, ...other.changes];
  const kept = changes.slice(0, MAX_CHANGES);
  return { changes: kept, counts, skipped: one.skipped + other.skipped + changes.length - kept.length };
}

/** Next report of a stream. Its size is limited, even for a slow client. */
export function createReport() {
  let counted = NOTHING;
  let gap = false;
  let resources = new Map<string, ResourceChange>();

  function addResources(events: readonly LiveEvent[]): void {
    for (const { resources: changed = [] } of events) {
      for (const one of changed) {
        const key = `${one.kind} ${one.id}`;
        if (resources.size < MAX_RESOURCES || resources.has(key)) resources.set(key, one);
        else gap = true;
      }
    }
  }

  return {
    /** @param events changes of its account */
    add(events: readonly LiveEvent[]): void {
      addResources(events);
      const added = countedIn(events);
      counted = counted === NOTHING ? added : together(counted, added);
    },
    /** The changes are unknown, or no longer stored. */
    addGap(): void {
      gap = true;
    },
    isEmpty: () => counted.counts.size === 0 && resources.size === 0 && !gap,
    /** Returns the report; later changes belong to the next one. */
    take(position: Position): Report {
      const report = { position, ...counted, resources: [...resources.values()], gap };
      [counted, gap, resources] = [NOTHING, false, new Map()];
      return report;
    },
  };
}
