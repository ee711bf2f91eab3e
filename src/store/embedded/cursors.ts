import { randomBytes } from "node:crypto";
import type { Value } from "./bson/values.ts";

/** As in MongoDB: a cursor that nobody asks for this long is dropped. */
const IDLE_MS = 10 * 60_000;

export interface Cursor {
  readonly id: bigint;
  readonly namespace: string;
  readonly session: string;
  /** The transaction within which it was opened, if any. */
  readonly transaction: number | undefined;
  lastUsed: number;
  /** The next result, which stays the next one until `take`. */
  peek(): Value | undefined;
  take(): void;
  /** Whether nothing is left; `unread` avoids looking before the first result was asked for. */
  isDone(unread?: boolean): boolean;
}

export interface Cursors {
  create(
    namespace: string,
    session: string,
    transaction: number | undefined,
    results: Iterable<Value>,
  ): Cursor;
  keep(cursor: Cursor): void;
  get(id: bigint): Cursor | undefined;
  drop(id: bigint): boolean;
  /** Drops the cursors for which `gone` says so. */
  dropWhere(gone: (cursor: Cursor) => boolean): void;
  dropIdle(): void;
}

export function createCursors(now: () => number): Cursors {
  const open = new Map<bigint, Cursor>();
  const dropWhere = (gone: (cursor: Cursor) => boolean) => {
    for (const [id, cursor] of open) if (gone(cursor)) open.delete(id);
  };
  return {
    create: (namespace, session, transaction, results) => {
      const iterator = results[Symbol.iterator]();
      let next: IteratorResult<Value> | undefined;
      const look = () => {
        next ??= iterator.next();
        return next;
      };
      let id: bigint | undefined;
      return {
        // Most results fit into the first reply: their cursors are never named.
        get id() {
          id ??= newId();
          return id;
        },
        namespace,
        session,
        transaction,
        lastUsed: now(),
        peek: () => {
          const result = look();
          return result.done ? undefined : result.value;
        },
        take: () => {
          next = undefined;
        },
        isDone: (unread = false) => !unread && look().done === true,
      };
    },
    keep: (cursor) => {
      open.set(cursor.id, cursor);
    },
    get: (id) => {
      const cursor = open.get(id);
      if (cursor !== undefined) cursor.lastUsed = now();
      return cursor;
    },
    drop: (id) => open.delete(id),
    dropWhere,
    dropIdle: () => dropWhere((cursor) => now() - cursor.lastUsed > IDLE_MS),
  };
}

function newId(): bigint {
  return (randomBytes(8).readBigUInt64BE() >> 1n) | 1n;
}
