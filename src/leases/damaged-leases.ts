import type { Clock } from "../shared/clock.ts";
import type { Logger } from "../shared/logger.ts";
import type { UnreadableDocument } from "../store/read-each.ts";

/** Kind of document: the lease of a partition, or the announcement of a worker. */
export type DamagedKind = "partition" | "worker";

/**
 * Unreadable leases and announcements. Each is reported once. A worker may create an unreadable lease again only after
 * the duration of a lease: until then, its unknown owner may still deliver. An unreadable announcement is skipped. Its
 * worker creates it again, and the store removes it in the end.
 */
export interface DamagedLeases {
  /** @param unreadable all unreadable documents of this kind in the store */
  note(kind: DamagedKind, unreadable: readonly UnreadableDocument[]): void;
  /** Partitions that no worker may take yet. */
  awaited(): number[];
}

interface Known {
  readonly _id: unknown;
  /** On the monotonic clock. */
  readonly since: number;
}

export interface DamagedLeasesOptions {
  readonly leaseMs: number;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called once for each document. */
  readonly onDamaged: ((kind: DamagedKind) => void) | undefined;
}

export function createDamagedLeases({ leaseMs, clock, log, onDamaged }: DamagedLeasesOptions): DamagedLeases {
  /** By the reported id. */
  let known: Readonly<Record<DamagedKind, ReadonlyMap<string, Known>>> = {
    partition: new Map(),
    worker: new Map(),
  };

  function report(kind: DamagedKind, { id, reason }: UnreadableDocument): void {
    onDamaged?.(kind);
    if (kind === "worker") log.error({ worker: id, reason }, "a worker's announcement cannot be read");
    else log.error({ partition: id, reason }, "a partition's lease cannot be read and is created again");
  }

  return {
    note: (kind, unreadable) => {
      const before = known[kind];
      const now = clock.monotonicMs();
      const entries = unreadable.map((document) => {
        const earlier = before.get(document.id);
        if (!earlier) report(kind, document);
        return [document.id, earlier ?? { _id: document.fields.get("_id"), since: now }] as const;
      });
      known = { ...known, [kind]: new Map(entries) };
    },
    awaited: () => {
      const until = clock.monotonicMs() - leaseMs;
      return [...known.partition.values()].flatMap(({ _id, since }) =>
        typeof _id === "number" && since > until ? [_id] : [],
      );
    },
  };
}
