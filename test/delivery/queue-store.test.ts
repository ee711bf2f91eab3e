import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import type { DueQuery, MessageTransition } from "../../src/store/queue-store.ts";
import { type AcrossAccounts, createStore } from "../../src/store/store.ts";
import { applyTransitions } from "../harness/apply-transitions.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

let opened: TestStore;
let acrossAccounts: AcrossAccounts;
let queue: AcrossAccounts["queue"];

const now = new Date("2030-01-01T00:00:00Z");
const later = (ms: number) => new Date(now.getTime() + ms);
const allPartitions = Array.from({ length: 64 }, (_, id) => id);

beforeAll(async () => {
  opened = await openTestStore();
  ({ acrossAccounts } = createStore(opened.db, testSealing));
  queue = acrossAccounts.queue;
});
afterAll(() => opened.close());
beforeEach(() => opened.db.collection("messages").deleteMany({}));

const messages = () => createStore(opened.db, testSealing).acrossAccounts.messages;

async function stored(...changes: Partial<MessageDocument>[]): Promise<MessageDocument[]> {
  const documents = changes.map((change) => queuedMessage(now, change));
  await messages().insertMany(documents);
  return documents;
}

async function one(changes: Partial<MessageDocument> = {}): Promise<MessageDocument> {
  return (await stored(changes))[0] as MessageDocument;
}

const under = (epoch: number, all: readonly MessageDocument[]) =>
  all.map((message) => ({ ...message, epoch }));

function read(id: string) {
  return messages().findById(id);
}

async function due(query: Partial<DueQuery> = {}) {
  const all = {
    partitions: allPartitions,
    priority: "transactional" as const,
    from: undefined,
  };
  return (await queue.findDue({ ...all, now: later(1_000), limit: 100, ...query })).documents;
}

function ended(message: MessageDocument, changes: Partial<MessageTransition>): MessageTransition {
  const { _id: messageId, bucket, attempts } = message;
  return { messageId, bucket, to: "delivered", attempts: attempts + 1, at: later(10), epoch: 1, ...changes };
}

describe("due messages", () => {
  it("come the longest waiting first, of these partitions, of this class", async () => {
    const [second, first] = await stored({}, { nextAttemptAt: later(-1) }, { nextAttemptAt: later(2_000) });
    const [bulk, other] = await stored({ priority: "bulk" }, { partition: 63, nextAttemptAt: later(1) });
    expect((await due()).map(({ _id }) => _id)).toEqual([first?._id, second?._id, other?._id]);
    expect((await due({ priority: "bulk" })).map(({ _id }) => _id)).toEqual([bulk?._id]);
    expect((await due({ partitions: [63] })).map(({ _id }) => _id)).toEqual([other?._id]);
    expect((await due({ from: later(0) })).map(({ _id }) => _id)).not.toContain(first?._id);
  });

  it("come in the same order from more partitions than are merged at once", async () => {
    const all = Array.from({ length: 450 }, (_, partition) => partition);
    const byTime = all.map((partition) => ({
      partition,
      nextAttemptAt: later(-1_000 - ((partition * 271) % 450)),
    }));
    const documents = await stored(...byTime);
    const longestFirst = documents.toSorted((a, b) => Number(a.nextAttemptAt) - Number(b.nextAttemptAt));
    for (const limit of [1, 50, 449, 450, 500]) {
      const found = await due({ partitions: all, limit });
      expect(found.map(({ _id }) => _id)).toEqual(longestFirst.slice(0, limit).map(({ _id }) => _id));
    }
  });
});

describe("waiting messages", () => {
  it("are counted in some partitions, in both classes, due or not, and only up to a limit", async () => {
    const partition = { partition: 3 };
    await stored(partition, { ...partition, priority: "bulk" }, { ...partition, nextAttemptAt: later(9e6) });
    const [finished] = await stored(partition, { partition: 4 });
    await applyTransitions(acrossAccounts, [ended(finished as MessageDocument, {})]);
    expect(await queue.countWaiting([3], 100)).toBe(3);
    expect(await queue.countWaiting([3, 4, 5], 100)).toBe(4);
    expect(await queue.countWaiting([3, 4], 2)).toBe(2);
    expect(await queue.countWaiting([], 100)).toBe(0);
  });
});

describe("fencing", () => {
  it("an owner of an earlier epoch cannot write a message that a later one has claimed", async () => {
    const message = await one();
    expect(await queue.claim([{ ...message, epoch: 2 }], later(1_000))).toEqual(new Set([message._id]));
    expect(await applyTransitions(acrossAccounts, [ended(message, { epoch: 1 })])).toBe(0);
    expect((await read(message._id))?.state).toBe("queued");
    expect(await applyTransitions(acrossAccounts, [ended(message, { epoch: 2 })])).toBe(1);
    expect(await read(message._id)).toMatchObject({ state: "delivered", attempts: 1, epoch: 2 });
  });

  it("a message is claimed once, by the latest owner, and only while it waits", async () => {
    const [claimed, finished] = await stored({ epoch: 3 }, { state: "delivered" });
    const fresh = await one();
    const all = [claimed, finished, fresh].filter((message) => message !== undefined);
    expect(await queue.claim(under(2, all), later(1_000))).toEqual(new Set([fresh._id]));
    expect(await queue.claim(under(4, all), later(1_000))).toEqual(new Set([claimed?._id, fresh._id]));
  });

  it("an attempt stores the position of the next one, and a later one clears it", async () => {
    const message = await one();
    const nextAttemptAt = later(20);
    const first = ended(message, { to: "deferred", nextAttemptAt, resumeAt: [0, 8] });
    await applyTransitions(acrossAccounts, [first]);
    expect(await read(message._id)).toMatchObject({ state: "deferred", resumeAt: [0, 8] });
    await applyTransitions(acrossAccounts, [
      ended({ ...message, attempts: 1 }, { to: "deferred", nextAttemptAt }),
    ]);
    expect(await read(message._id)).toMatchObject({ attempts: 2, resumeAt: [0, 8] });
    await applyTransitions(acrossAccounts, [ended({ ...message, attempts: 2 }, { resumeAt: [] })]);
    expect(await read(message._id)).not.toHaveProperty("resumeAt");
  });

  it("the end of an attempt that was made twice counts once", async () => {
    const message = await one();
    const retry = { to: "deferred", nextAttemptAt: later(60_000) } as const;
    expect(await applyTransitions(acrossAccounts, [ended(message, { epoch: 1 })])).toBe(1);
    expect(await applyTransitions(acrossAccounts, [ended(message, { epoch: 1, ...retry })])).toBe(0);
    expect(await read(message._id)).toMatchObject({ state: "delivered" });
    expect((await read(message._id))?.nextAttemptAt).toBeUndefined();
  });
});

describe("messages in progress when a partition is given up", () => {
  it("are not due for the next owner, and their owner still writes their end", async () => {
    const message = await one();
    const attempt = { ...message, epoch: 1 };
    expect(await queue.hold([attempt], later(60_000))).toEqual(new Set([message._id]));
    expect(await due()).toEqual([]);
    expect(await applyTransitions(acrossAccounts, [ended(message, { epoch: 1 })])).toBe(1);
  });

  it("stay unchanged when they have ended", async () => {
    const message = await one();
    const retryAt = later(500);
    await applyTransitions(acrossAccounts, [ended(message, { to: "deferred", nextAttemptAt: retryAt })]);
    const other = await one();
    const attempts = [message, other].map((attempted) => ({ ...attempted, epoch: 1 }));
    expect(await queue.hold(attempts, later(60_000))).toEqual(new Set([other._id]));
    expect((await read(message._id))?.nextAttemptAt).toEqual(retryAt);
  });

  it("are left to a later owner that has claimed them", async () => {
    const message = await one();
    await queue.claim([{ ...message, epoch: 2 }], later(1_000));
    expect(await queue.hold([{ ...message, epoch: 1 }], later(60_000))).toEqual(new Set());
    expect((await due()).map(({ _id }) => _id)).toEqual([message._id]);
  });

  it("are not claimed by a worker that read them before they were hidden", async () => {
    const message = await one();
    await queue.hold([{ ...message, epoch: 1 }], later(60_000));
    expect(await queue.claim([{ ...message, epoch: 2 }], later(1_000))).toEqual(new Set());
    expect(await applyTransitions(acrossAccounts, [ended(message, { epoch: 1 })])).toBe(1);
  });

  it("are due again for the next owner if they have not ended", async () => {
    const message = await one();
    await queue.hold([{ ...message, epoch: 1 }], later(60_000));
    expect(await queue.claim([{ ...message, epoch: 2 }], later(60_001))).toEqual(new Set([message._id]));
    await queue.unhide([{ ...message, epoch: 1 }], later(0));
    expect(await read(message._id)).toMatchObject({ epoch: 2, nextAttemptAt: later(60_000) });
  });
});
