import type { MessageDocument } from "../../store/message-documents.ts";

/** A place in the queue of some partitions that reading has reached. */
export interface Cursor {
  readonly partitions: readonly number[];
  /** What was due earlier has been read; undefined: nothing has. */
  readonly from: Date | undefined;
  readonly limit: number;
}

/** What was read at a cursor. */
export interface Step {
  readonly due: readonly MessageDocument[];
  /** As much was found as was asked for: more may follow. */
  readonly isFull: boolean;
  /** Found, and without a place. */
  readonly passedOver: readonly MessageDocument[];
}

export const BATCH = 1_000;
const MAX_BATCH = 16 * BATCH;

export function cursorAt(partitions: readonly number[], from: Date | undefined): Cursor {
  return { partitions, from, limit: BATCH };
}

/** The cursor after a step that was full. */
export function advance({ partitions, from, limit }: Cursor, { due }: Step): Cursor {
  const last = due.at(-1)?.nextAttemptAt ?? from;
  if (!last || last.getTime() !== from?.getTime()) return cursorAt(partitions, last);
  // Many are due at the same instant: only a larger batch gets beyond them, or, at last, leaving some to the next time.
  if (limit < MAX_BATCH) return { partitions, from, limit: limit * 2 };
  return cursorAt(partitions, new Date(last.getTime() + 1));
}

/**
 * The cursor or, where messages without a place came from one partition mostly, two: the others first, for they need
 * not wait until the large backlog of that one is looked through.
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
