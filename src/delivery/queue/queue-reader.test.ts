import { beforeEach, describe, expect, it } from "vitest";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { DueQuery } from "../../store/queue-store.ts";
import { createPending } from "./pending.ts";
import { createQueueReader, type QueueReaderOptions } from "./queue-reader.ts";

const START_MS = Date.UTC(2030, 0, 1);
const HOUR_AGO_MS = START_MS - 3_600_000;
/** Maximum result of one read: a few batches of each kind. */
const MAX_READ = 6_000;
/** Maximum of messages of one class that wait in memory. */
const MAX_WAITING = 5_000;
/** Reads before the next full scan. */
const BEFORE_LOOKING_AGAIN = 25;
let nowMs = START_MS;
let found = 0;
let stored: MessageDocument[] = [];
let made = 0;
let held = [1];
/** Wait of each query for the store. */
let outageMs = 0;
/** Called while bodies are read. */
let meanwhile: () => void = () => undefined;
beforeEach(() => {
  held = [1];
  meanwhile = () => undefined;
  outageMs = 0;
  nowMs = START_MS;
  found = 0;
  stored = [];
});

function message(accountId: string, dueMs: number, partition = 1): MessageDocument {
  const id = `m${made++}`;
  const at = new Date(dueMs);
  const fields = { accountId, recipientDomain: "example.net", partition, priority: "transactional" };
  return {
    _id: id,
    contentId: id,
    sizeBytes: 1,
    attempts: 0,
    epoch: 1,
    updatedAt: at,
    nextAttemptAt: at,
    ...fields,
  } as MessageDocument;
}

/** Stores messages of an account that have waited for long, in the order of their due times. */
function backlog(accountId: string, count: number): MessageDocument[] {
  const messages = Array.from({ length: count }, (_, i) => message(accountId, HOUR_AGO_MS + i));
  for (const one of messages) stored.push(one);
  return messages;
}

/** A reader of a queue that takes a millisecond for each found message. */
function reading() {
  const lease = { epoch: 1, since: new Date(START_MS) };
  const pending = createPending({ epochOf: () => 1, isUnderWay: () => false });
  const waiting: MessageDocument[] = [];
  const options = {
    queue: {
      findDue: async ({ partitions, priority, from = new Date(0), now, limit }: DueQuery) => {
        const due = stored.filter(
          (one) =>
            one.priority === priority &&
            partitions.includes(one.partition) &&
            one.nextAttemptAt &&
            one.nextAttemptAt >= from &&
            one.nextAttemptAt <= now,
        );
        const batch = due
          .toSorted((a, b) => Number(a.nextAttemptAt) - Number(b.nextAttemptAt))
          .slice(0, limit);
        found += batch.length;
        nowMs += outageMs;
        return { documents: batch, unreadable: [] };
      },
    },
    loadBodies: async () => {
      meanwhile();
      return new Map();
    },
    partitions: { held: () => held, lease: () => lease },
    pending,
    holds: { isHeld: () => false },
    quarantine: async () => true,
    clock: { now: () => new Date(nowMs), monotonicMs: () => nowMs },
    enqueue: (one: MessageDocument, epoch: number) => {
      const admitted = pending.admit(one, epoch, undefined);
      if (admitted) waiting.push(one);
      if (!admitted?.gaveWay) return;
      waiting.splice(waiting.indexOf(admitted.gaveWay.message), 1);
      reader.missed(admitted.gaveWay.message);
    },
  } as unknown as QueueReaderOptions;
  const reader = createQueueReader(options);
  /** Reads a second later; returns the number of found messages. */
  const poll = async () => {
    nowMs += 1_000;
    found = 0;
    await reader.read();
    return found;
  };
  /** Delivers this many of the longest waiting messages. */
  const deliver = (count: number) => {
    const gone = new Set(waiting.splice(0, count));
    for (const { _id: id } of gone) pending.leave(id);
    stored = stored.filter((one) => !gone.has(one));
    return [...gone];
  };
  const isWaiting = (one: MessageDocument) => pending.knows(one, 1);
  return { reader, pending, poll, deliver, isWaiting };
}

describe("a backlog that is larger than memory", () => {
  it("is scanned once, in small steps, and messages that become due behind it are found at once", async () => {
    const { poll, isWaiting, pending } = reading();
    backlog("acc_flood", 30_000);
    const costs: number[] = [];
    for (let i = 0; i < 40; i++) {
      const late = message("acc_other", nowMs + 500);
      stored.push(late);
      costs.push(await poll());
      expect(isWaiting(late)).toBe(true);
    }
    expect(pending.size("transactional")).toBe(MAX_WAITING);
    expect(Math.max(...costs)).toBeLessThanOrEqual(MAX_READ);
    // Only the messages that became due in the last seconds.
    expect(Math.max(...costs.slice(-10))).toBeLessThan(20);
  });

  it("does not hide the messages behind it: in other partitions they are found first, in its own with time", async () => {
    held = [1, 2, 3];
    const { poll, isWaiting } = reading();
    backlog("acc_flood", 30_000);
    const elsewhere = message("acc_other", HOUR_AGO_MS + 40_000, 2);
    const behind = message("acc_other", HOUR_AGO_MS + 40_000);
    stored.push(elsewhere, behind);
    for (let i = 0; i < 6; i++) await poll();
    expect(isWaiting(elsewhere)).toBe(true);
    expect(isWaiting(behind)).toBe(false);
    for (let i = 0; i < 20; i++) await poll();
    expect(isWaiting(behind)).toBe(true);
  });

  it("is read further as messages leave, the longest waiting first: all of it, and little more than once", async () => {
    const { poll, deliver } = reading();
    const all = backlog("acc_flood", 20_000);
    const delivered: MessageDocument[] = [];
    let cost = 0;
    for (let i = 0; i < 60 && delivered.length < all.length; i++) {
      cost += await poll();
      delivered.push(...deliver(500));
    }
    expect(delivered.map(({ _id }) => _id)).toEqual(all.map(({ _id }) => _id));
    expect(cost).toBeLessThan(3 * all.length);
  });

  it("loses no message that met a full memory which had capacity a moment later", async () => {
    const { poll, deliver, pending } = reading();
    const all = backlog("acc_flood", 12_000);
    const delivered: MessageDocument[] = [];
    meanwhile = () => {
      if (pending.size("transactional") === MAX_WAITING) delivered.push(...deliver(300));
    };
    for (let seconds = 0; seconds < BEFORE_LOOKING_AGAIN && delivered.length < all.length; seconds++) {
      await poll();
      delivered.push(...deliver(500));
    }
    expect(delivered).toHaveLength(all.length);
  });

  it("loses no message that it found when the store became unavailable", async () => {
    const { poll, deliver, pending } = reading();
    const all = backlog("acc_flood", 12_000);
    const delivered: MessageDocument[] = [];
    let wasFull = false;
    let readings = 0;
    meanwhile = () => {
      wasFull ||= pending.size("transactional") === MAX_WAITING;
      if (wasFull && ++readings % 25 === 1) throw new Error("the store is away");
    };
    for (let seconds = 0; seconds < BEFORE_LOOKING_AGAIN && delivered.length < all.length; seconds++) {
      await poll().catch(() => undefined);
      delivered.push(...deliver(1_000));
    }
    expect(delivered).toHaveLength(all.length);
  });

  it("starts again with a new partition", async () => {
    const { poll, isWaiting } = reading();
    await poll();
    const old = message("acc_other", HOUR_AGO_MS, 2);
    stored.push(old);
    await poll();
    expect(isWaiting(old)).toBe(false);
    held = [1, 2];
    await poll();
    expect(isWaiting(old)).toBe(true);
  });
});

it("reads a deferred message again, and finds one that was stored late by a full scan", async () => {
  const { reader, poll, pending, isWaiting } = reading();
  const [one] = backlog("acc", 1) as [MessageDocument];
  await poll();
  pending.leave(one._id);
  reader.missed(one);
  await poll();
  expect(isWaiting(one)).toBe(true);
  const [late] = backlog("acc", 1) as [MessageDocument];
  await poll();
  expect(isWaiting(late)).toBe(false);
  nowMs += 30_000;
  await poll();
  expect(isWaiting(late)).toBe(true);
});

it("finds a message soon that was stored late while the store was unavailable", async () => {
  const { poll, isWaiting } = reading();
  outageMs = 8_000;
  await poll();
  outageMs = 0;
  const late = message("acc_late", HOUR_AGO_MS);
  stored.push(late);
  for (let seconds = 0; seconds < 15; seconds++) await poll();
  expect(isWaiting(late)).toBe(true);
});

it("reads all of many messages that are due at the same instant", async () => {
  const { poll, pending } = reading();
  stored = Array.from({ length: 4_000 }, () => message("acc", HOUR_AGO_MS));
  for (let i = 0; i < 5; i++) await poll();
  expect(pending.size("transactional")).toBe(4_000);
});
