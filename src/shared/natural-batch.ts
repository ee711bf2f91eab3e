// A commit costs much the same for one item and for ten, so writes wait a few milliseconds when others are likely to
// arrive. A single client never waits.

import { setMaxListeners } from "node:events";
import type { Clock } from "./clock.ts";
import { createDueTimes } from "./due-times.ts";

/** Outcome of one item of a batch. */
export type Settled<R> =
  | { readonly ok: true; readonly value: R }
  | { readonly ok: false; readonly error: unknown };

export interface BatchOptions<T, R> {
  /**
   * Processes all items, with results in the order of the items. A rejection fails all of them.
   * @param withinMs remaining time of the item that arrived last; Infinity without `maxAge`
   */
  readonly run: (items: readonly T[], withinMs: number) => Promise<readonly Settled<R>[]>;
  /** Maximum number of items in one batch. */
  readonly maxItems: number;
  /** Maximum sum of `sizeOf` in one batch. A single larger item has its own batch. */
  readonly maxSize: number;
  readonly sizeOf: (item: T) => number;
  /** Maximum number of concurrent batches. */
  readonly maxConcurrent: number;
  /** This many items justify another concurrent batch, and wait for no more (1). */
  readonly enoughItems?: number;
  /** Time for which a batch waits for as many items as recently arrived together, in milliseconds (0). */
  readonly gatherMs?: number;
  /** A single item also waits, because no caller waits for it (false). */
  readonly gathersAlways?: boolean;
  /** Deadline of an item, in milliseconds after its arrival. A waiting item then leaves the batch. */
  readonly maxAge?: {
    readonly ms: number;
    readonly clock: Pick<Clock, "monotonicMs">;
    /** Error of a late item. @param waiting it was not started, and will not be */
    readonly error: (waiting: boolean) => unknown;
  };
}

export interface NaturalBatch<T, R> {
  /**
   * @param waitedMs elapsed part of its `maxAge` (0)
   * @param signal aborted: the caller no longer waits for the item. A waiting item is removed and rejects with the
   * reason of the signal. The work itself decides about an item in progress
   */
  submit(item: T, waitedMs?: number, signal?: AbortSignal): Promise<R>;
  /** Resolves when no items are waiting or in progress. */
  idle(): Promise<void>;
}

/** Factor of the expectation after a batch that did not reach it. */
const EXPECTED_SHARE = 0.9;

interface Waiting<T, R> {
  readonly item: T;
  /** A time of the monotonic clock; Infinity without `maxAge`. */
  readonly dueMs: number;
  readonly resolve: (value: R) => void;
  readonly reject: (error: unknown) => void;
  /** Called when a batch takes the item, which can then no longer be removed. */
  onTaken?: () => void;
}

/**
 * Collects items that arrive while earlier batches are in progress. A single item is processed at the end of the
 * current turn of the event loop. The higher the load, the larger the batches. If a batch is expensive, and items
 * arrive in quick succession but seldom together, `gatherMs` combines many into few batches. A single item does not
 * wait, and a complete group does not wait longer.
 */
export function createNaturalBatch<T, R>(options: BatchOptions<T, R>): NaturalBatch<T, R> {
  const { maxConcurrent, enoughItems = 1, gatherMs = 0, gathersAlways = false, maxAge } = options;
  let waiting: Waiting<T, R>[] = [];
  let running = 0;
  /** Largest recent batch, with less weight for older ones. */
  let expected = 1;
  let scheduled = false;
  let gathering: NodeJS.Timeout | undefined;
  let idleWaiters: (() => void)[] = [];
  const dueTimes = maxAge && createDueTimes<Waiting<T, R>>({ clock: maxAge.clock, onDue: giveUp });

  /** Answers a late item. Its later outcome is ignored. */
  function giveUp(entry: Waiting<T, R>): void {
    const others = waiting.filter((other) => other !== entry);
    const isWaiting = others.length < waiting.length;
    waiting = others;
    entry.reject(maxAge?.error(isWaiting));
    if (!isWaiting) return;
    entry.onTaken?.();
    schedule();
  }

  /** Removes an item if its signal is aborted before a batch takes it. */
  function leaveWith(signal: AbortSignal, entry: Waiting<T, R>): void {
    const leave = () => {
      waiting = waiting.filter((other) => other !== entry);
      dueTimes?.delete(entry);
      entry.reject(signal.reason);
      // A caller that waits for an idle batch may have waited for this one.
      schedule();
    };
    // One caller may have many items here, which is not a leak.
    setMaxListeners(0, signal);
    signal.addEventListener("abort", leave, { once: true });
    entry.onTaken = () => signal.removeEventListener("abort", leave);
  }

  function leftMs(batch: readonly Waiting<T, R>[]): number {
    if (!maxAge) return Number.POSITIVE_INFINITY;
    return Math.max(...batch.map(({ dueMs }) => dueMs)) - maxAge.clock.monotonicMs();
  }

  function take(): Waiting<T, R>[] {
    let size = 0;
    let count = 0;
    for (const { item } of waiting) {
      size += options.sizeOf(item);
      if (count > 0 && (size > options.maxSize || count >= options.maxItems)) break;
      count++;
    }
    const batch = waiting.slice(0, count);
    waiting = waiting.slice(count);
    for (const { onTaken } of batch) onTaken?.();
    expected = Math.max(count, expected * EXPECTED_SHARE);
    return batch;
  }

  async function runBatch(batch: Waiting<T, R>[]): Promise<void> {
    try {
      const items = batch.map(({ item }) => item);
      const results = await options.run(items, leftMs(batch));
      batch.forEach((entry, index) => {
        const result = results[index];
        if (result?.ok) entry.resolve(result.value);
        else entry.reject(result ? result.error : new Error("The batch has no result for this item."));
      });
    } catch (error) {
      for (const entry of batch) entry.reject(error);
    }
    for (const entry of batch) dueTimes?.delete(entry);
    running--;
    schedule();
  }

  function flush(): void {
    scheduled = false;
    clearTimeout(gathering);
    gathering = undefined;
    while (mayStart()) {
      running++;
      void runBatch(take());
    }
    if (waiting.length === 0 && running === 0) {
      for (const resolve of idleWaiters) resolve();
      idleWaiters = [];
    }
  }

  function mayStart(): boolean {
    if (running === 0) return waiting.length > 0;
    return running < maxConcurrent && waiting.length >= enoughItems;
  }

  function schedule(): void {
    if (scheduled) return;
    const company = gathersAlways ? enoughItems : Math.min(enoughItems, Math.round(expected));
    const gathers = gatherMs > 0 && running === 0 && waiting.length > 0 && waiting.length < company;
    if (gathers) gathering ??= setTimeout(flush, gatherMs);
    else {
      scheduled = true;
      setImmediate(flush);
    }
  }

  return {
    submit: (item, waitedMs = 0, signal) =>
      new Promise<R>((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const dueMs = maxAge ? maxAge.clock.monotonicMs() + maxAge.ms - waitedMs : Number.POSITIVE_INFINITY;
        const entry: Waiting<T, R> = { item, dueMs, resolve, reject };
        if (signal) leaveWith(signal, entry);
        waiting.push(entry);
        dueTimes?.add(entry, dueMs);
        schedule();
      }),
    idle: () => {
      if (waiting.length === 0 && running === 0) return Promise.resolve();
      return new Promise((resolve) => {
        idleWaiters.push(resolve);
      });
    },
  };
}
