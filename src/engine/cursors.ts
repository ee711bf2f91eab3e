import { randomBytes } from "node:crypto";
import type { Doc, RawDoc } from "./bson/values.ts";

/** A document, stored or created for the reply. */
type Result = Doc | RawDoc;

/** As in MongoDB: a cursor without requests for this long is dropped. */
const IDLE_MS = 10 * 60_000;

export interface Cursor {
  readonly id: bigint;
  readonly namespace: string;
  readonly session: string;
  /** The transaction in which it was opened, if any. */
  readonly transaction: number | undefined;
  lastUsed: number;
  /** The next result, until `take`. */
  peek(): Result | undefined;
  take(): void;
  /** True if no results are left. */
  isDone(): boolean;
}

/** Results that clients have not read to the end. */
export function createCursors(now: () => number) {
  const open = new Map<bigint, Cursor>();
  /** Drops the cursors for which `gone` returns true. */
  const dropWhere = (gone: (cursor: Cursor) => boolean) => {
    for (const [id, cursor] of open) if (gone(cursor)) open.delete(id);
  };
  return {
    create: (
      namespace: string,
      session: string,
      transaction: number | undefined,
      results: Iterable<Result>,
    ): Cursor => {
      const iterator = results[Symbol.iterator]();
      let next: IteratorResult<Result> | undefined;
      const poll = () => {
        next ??= iterator.next();
        return next;
      };
      let id: bigint | undefined;
      return {
        // Most results fit into the first reply, so their cursors are never named.
        get id() {
          id ??= newId();
          return id;
        },
        namespace,
        session,
        transaction,
        lastUsed: now(),
        peek: () => {
          const result = poll();
          return result.done ? undefined : result.value;
        },
        take: () => {
          next = undefined;
        },
        isDone: () => poll().done === true,
      };
    },
    keep: (cursor: Cursor): void => {
      open.set(cursor.id, cursor);
    },
    get: (id: bigint): Cursor | undefined => {
      const cursor = open.get(id);
      if (cursor !== undefined) cursor.lastUsed = now();
      return cursor;
    },
    drop: (id: bigint): boolean => open.delete(id),
    dropWhere,
    dropIdle: () => dropWhere((cursor) => now() - cursor.lastUsed > IDLE_MS),
  };
}

function newId(): bigint {
  return (randomBytes(8).readBigUInt64BE() >> 1n) | 1n;
}
