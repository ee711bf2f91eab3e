import type { MessageDocument } from "../../store/message-documents.ts";

/** A position in the queue of some partitions. */
export interface Cursor {
  readonly partitions: readonly number[];
  /** Messages that are due earlier have been read; undefined: none. */
  readonly from: Date | undefined;
  readonly limit: number;
}

/** Result of a read at a cursor. */
export interface Step {
  readonly due: readonly MessageDocument[];
  /** The result is as large as the limit: more may follow. */
  readonly isFull: boolean;
  /** Found messages without a slot. */
  readonly passedOver: readonly MessageDocument[];
}

export const BATCH = 1_000;
const MAX_BATCH = 16 * BATCH;

export function cursorAt(partitions: readonly number[], from: Date | undefined): Cursor {
  return { partitions, from, limit: BATCH };
}

/** The cursor after a full step. */
export function advance({ partitions, from, limit }: Cursor, { due }: Step): Cursor {
  const last = due.at(-1)?.nextAttemptAt ?? from;
  if (!last || last.getTime() !== from?.getTime()) return cursorAt(partitions, last);
  // Many messages are due at the same instant: only a larger batch gets past them, or finally skipping some until the next
  // scan.
  if (limit < MAX_BATCH) return { partitions, from, limit: limit * 2 };
  return cursorAt(partitions, new Date(last.getTime() + 1));
}

/**
 * The cursor, or two if most messages without a slot came from one partition: the others first, so that they do not wait for
 * the scan of that large backlog.
 */
export function split(cursor: Cursor, { passedOver, due }: Step): readonly Cursor[] {
  const counts = new Map<number, number>();
  for (const { partition } of passedOver) counts.set(partition, (counts.get(partition) ?? 0) + 1);
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  if (!most || most[1] <= due.length / 2 || cursor.partitions.length === 1) return [cursor];
  const others = cursor.partitions.filter((id) => id !== most[0]);
  return [
    { ...cursor, partitions: others },
    { ...cursor, partitions: [most[0]] },
  ];
}
