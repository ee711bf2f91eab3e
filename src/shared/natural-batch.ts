// A commit costs much the same for one item and for ten, so writes wait a few milliseconds when others are likely to
// arrive. A single client never waits.

import { setMaxListeners } from "node:events";
import type { Clock } from "./clock.ts";
import { createDueTimes } from "./due-times.ts";

/** What one item of a batch came to. */
export type Settled<R> =
  | { readonly ok: true; readonly value: R }
  | { readonly ok: false; readonly error: unknown };

export interface BatchOptions<T, R> {
  /**
   * Does the work for all items; its results are in the order of the items. A rejection fails them all.
   * @param withinMs what is left of the time of the item that came last; Infinity without `maxAge`
   */
  readonly run: (items: readonly T[], withinMs: number) => Promise<readonly Settled<R>[]>;
  /** Items in one batch at most. */
  readonly maxItems: number;
  /** Sum of `sizeOf` in one batch at most; a single larger item still goes alone. */
  readonly maxSize: number;
  readonly sizeOf: (item: T) => number;
  /** Batches under way at once at most. */
  readonly maxConcurrent: number;
  /** So many are worth a batch beside another one, and wait for no more (1). */
  readonly enoughItems?: number;
  /** How long a batch waits until as many have come as lately came together, in milliseconds (0). */
  readonly gatherMs?: number;
  /** What comes alone waits as well, for nobody waits for it (false). */
  readonly gathersAlways?: boolean;
  /** When an item is answered at the latest, in milliseconds after it came; one that waits then leaves the batch. */
  readonly maxAge?: {
    readonly ms: number;
    readonly clock: Pick<Clock, "monotonicMs">;
    /** What it is answered with. @param waiting it was not begun with, and will not be */
    readonly error: (waiting: boolean) => unknown;
  };
}

export interface NaturalBatch<T, R> {
  /**
   * @param waitedMs what has passed of its `maxAge` (0)
   * @param signal aborted: nobody waits for the item any more. It is taken out while it waits, and rejects with the
   * signal's reason; one that is under way is the work's own affair.
   */
  submit(item: T, waitedMs?: number, signal?: AbortSignal): Promise<R>;
  /** Resolves when nothing is waiting or under way. */
  idle(): Promise<void>;
}

/** What is left of an expectation after a batch that did not meet it. */
const EXPECTED_SHARE = 0.9;

interface Waiting<T, R> {
  readonly item: T;
  /** A time of the monotonic clock; Infinity without `maxAge`. */
  readonly dueMs: number;
  readonly resolve: (value: R) => void;
  readonly reject: (error: unknown) => void;
  /** Told when a batch takes the item: it can no longer be taken out. */
  onTaken?: () => void;
}

/**
 * Collects what arrives while earlier batches are under way: a lone item leaves at the end of the current
 * turn of the event loop, and the busier it gets the larger the batches become. Where a batch costs much, and items
 * come in quick succession but seldom together, `gatherMs` makes few batches of many. Who comes alone does not wait,
 * and neither do all once all have come.
 */
export function createNaturalBatch<T, R>(options: BatchOptions<T, R>): NaturalBatch<T, R> {
  const { maxConcurrent, enoughItems = 1, gatherMs = 0, gathersAlways = false, maxAge } = options;
  let waiting: Waiting<T, R>[] = [];
  let running = 0;
  /** The largest of the last batches; what is longer ago counts less. */
  let expected = 1;
  let scheduled = false;
  let gathering: NodeJS.Timeout | undefined;
  let idleWaiters: (() => void)[] = [];
  const dueTimes = maxAge && createDueTimes<Waiting<T, R>>({ clock: maxAge.clock, onDue: giveUp });

  /** Answers an item that nobody may wait for any longer: what comes of it later is not heard. */
  function giveUp(entry: Waiting<T, R>): void {
    const others = waiting.filter((other) => other !== entry);
    const isWaiting = others.length < waiting.length;
    waiting = others;
    entry.reject(maxAge?.error(isWaiting));
    if (!isWaiting) return;
    entry.onTaken?.();
    schedule();
  }

  /** Takes an item out when its signal is aborted before a batch takes it. */
  function leaveWith(signal: AbortSignal, entry: Waiting<T, R>): void {
    const leave = () => {
      waiting = waiting.filter((other) => other !== entry);
      dueTimes?.delete(entry);
      entry.reject(signal.reason);
      // A caller that waits for an idle batch may have waited for this one.
      schedule();
    };
    // One caller may have many items here, and that is no leak.
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
