import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { AbandonedError, type Deliver } from "../../src/delivery/deliver.ts";
import { createDestinationLimits } from "../../src/delivery/routing/destination-limits.ts";
import type { WorkerOptions } from "../../src/delivery/worker-options.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { type AcrossAccounts, createStore, type Store } from "../../src/store/store.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { testSealing } from "../harness/sealing.ts";
import { createGate, createSignal } from "../harness/signal.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";
import { createTestTime, type TestTime } from "../harness/test-time.ts";
import { createTestWorker, deliveredResult, type TestWorker } from "../harness/test-worker.ts";

let opened: TestStore;
let store: Store;
let time: TestTime;
/** A partition that a second worker gets. */
const PARTITION = 40;

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());
const workers: TestWorker[] = [];
beforeEach(async () => {
  time = createTestTime(Date.UTC(2030, 0, 1));
  for (const name of ["messages", "events", "partitions", "workers"]) {
    await opened.db.collection(name).deleteMany({});
  }
});
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop(0);
});

const now = () => time.clock.now();
const nowMs = () => time.clock.monotonicMs();
const ended = (message: MessageDocument) => deliveredResult(message, now());

interface Parts extends Partial<WorkerOptions> {
  /** Time from which its destination accepts mail. */
  readonly startsAtMs?: () => number;
}

/** A worker that renews its leases and polls only when the test calls it, with a second between rounds. */
async function start(id: string, { startsAtMs = nowMs, ...changes }: Parts = {}) {
  const delivered: string[] = [];
  const site = createDestinationLimits().at(id, { concurrency: 1_000, perMinute: undefined });
  const destination = { ...site, startsAtMs };
  const deliver: Deliver = async (message) => {
    delivered.push(message._id);
    return ended(message);
  };
  const polling = createTestTime();
  const worker = createTestWorker({
    db: opened.db,
    time,
    id,
    deliver,
    leases: { timers: createTestTime().timers },
    changes: {
      timers: polling.timers,
      destinations: {
        peek: () => destination,
        of: async () => destination,
        shares: createDestinationLimits().shares,
      },
      concurrency: 100,
      ...changes,
    },
  });
  await worker.start();
  workers.push(worker);
  return {
    worker,
    delivered,
    round: async () => {
      time.pass(1_000);
      await worker.round();
    },
    /** Resolves after a poll of the queue: a new one, unless one was in progress. */
    polled: async () => {
      const over = worker.polls.next();
      polling.pass(1_000);
      await over;
    },
  };
}

type Started = Awaited<ReturnType<typeof start>>;

/** Polls the queue until this number of messages is delivered. */
async function untilDelivered(count: number, { polled }: Started): Promise<void> {
  const delivered = () => opened.db.collection("messages").countDocuments({ state: "delivered" });
  while ((await delivered()) < count) await polled();
  expect(await delivered()).toBe(count);
}

async function insert(count: number): Promise<MessageDocument[]> {
  const messages = Array.from({ length: count }, () =>
    queuedMessage(now(), { partition: PARTITION, recipientDomain: "paused.example" }),
  );
  await store.acrossAccounts.messages.insertMany(messages);
  return messages;
}

it("a message that another worker delivered is not sent again when its partition returns", async () => {
  await insert(96);
  const pausedUntilMs = nowMs() + 3_500;
  const a = await start("wrk_a", { startsAtMs: () => Math.max(nowMs(), pausedUntilMs) });
  const b = await start("wrk_b");
  await a.round();
  await b.round();
  expect(b.worker.held()).toContain(PARTITION);
  await untilDelivered(96, b);
  await b.worker.stop(0);
  await a.round();
  expect(a.worker.held()).toContain(PARTITION);
  const fresh = await insert(1);
  await a.round();
  await untilDelivered(97, a);
  expect(a.delivered).toEqual(fresh.map(({ _id }) => _id));
});

it("no attempt begins for a message that was read under an earlier epoch, however late the read ends", async () => {
  const slow = createGate();
  const reading = createSignal();
  let first = true;
  const queue: AcrossAccounts["queue"] = {
    ...store.acrossAccounts.queue,
    findDue: async (query) => {
      const due = await store.acrossAccounts.queue.findDue(query);
      if (first && due.documents.length > 0) {
        first = false;
        reading.tell();
        await slow.opened;
      }
      return due;
    },
  };
  const a = await start("wrk_a", { queue });
  const [message] = (await insert(1)) as [MessageDocument];
  const late = a.polled();
  await reading.until(1);
  // Its leases expire while it reads; another worker delivers and leaves.
  time.pass(10_000);
  const b = await start("wrk_b");
  await b.round();
  await b.round();
  await untilDelivered(1, b);
  // Deferred by its owner: it waits again, with one more attempt.
  const again = {
    state: "deferred",
    attempts: 1,
    nextAttemptAt: new Date(now().getTime() + 60_000),
  } as const;
  await opened.db.collection<MessageDocument>("messages").updateOne({ _id: message._id }, { $set: again });
  await b.worker.stop(0);
  await a.round();
  await a.round();
  slow.open();
  await late;
  await a.polled();
  expect(a.worker.held()).toContain(PARTITION);
  expect(a.delivered).toEqual([]);
});

it("a worker that lost its lease while it prepared a message does not send it", async () => {
  await insert(1);
  const preparing = createSignal();
  const goOn = createGate();
  const asked: (boolean | undefined)[] = [];
  const a = await start("wrk_a", {
    deliver: async (message, means) => {
      asked.push(means?.mayFinish?.());
      preparing.tell();
      await goOn.opened;
      asked.push(means?.mayFinish?.());
      return ended(message);
    },
  });
  await preparing.until(1);
  time.pass(10_000);
  goOn.open();
  await a.worker.recorded.until(1);
  expect(asked).toEqual([true, false]);
  expect(a.worker.held()).toEqual([]);
});

it("attempts in progress may finish when their partition is given up", async () => {
  await insert(1);
  const begun = createSignal<(() => boolean) | undefined>();
  const goOn = createGate();
  const a = await start("wrk_a", {
    deliver: async (message, means) => {
      begun.tell(means?.mayFinish);
      await goOn.opened;
      return ended(message);
    },
  });
  await begun.until(1);
  const [mayFinish] = begun.seen;
  const b = await start("wrk_b");
  await a.round();
  await b.round();
  expect([a.worker.lease(PARTITION), mayFinish?.()]).toEqual([undefined, true]);
  await a.round();
  await b.round();
  expect([b.worker.held().includes(PARTITION), mayFinish?.()]).toEqual([true, true]);
  goOn.open();
  await a.worker.recorded.until(1);
  expect(b.delivered).toEqual([]);
});

it("an attempt that could not be hidden in time from the next owner of its partition is not finished", async () => {
  await insert(1);
  const begun = createSignal<(() => boolean) | undefined>();
  const goOn = createGate();
  const hiding = createSignal();
  const slow = createGate();
  const queue: AcrossAccounts["queue"] = {
    ...store.acrossAccounts.queue,
    hold: async (...args) => {
      hiding.tell();
      await slow.opened;
      return store.acrossAccounts.queue.hold(...args);
    },
  };
  const a = await start("wrk_a", {
    queue,
    deliver: async (message, means) => {
      begun.tell(means?.mayFinish);
      await goOn.opened;
      if (means?.mayFinish?.() === false) throw new AbandonedError("it is another's");
      return ended(message);
    },
  });
  await begun.until(1);
  const [mayFinish] = begun.seen;
  const b = await start("wrk_b");
  await a.round();
  await b.round();
  const late = a.round();
  await hiding.until(1);
  // Its leases expire in the middle of the round, as when the process is stopped.
  time.pass(10_000);
  // After such a pause it first claims its own partitions again.
  for (let i = 0; i < 2; i++) await b.round();
  await untilDelivered(1, b);
  slow.open();
  await late;
  expect(mayFinish?.()).toBe(false);
  goOn.open();
  await a.worker.stop(0);
  expect(b.delivered).toHaveLength(1);
});

it("a draining worker gives its partitions to others at once, and finally also its abandoned messages", async () => {
  await insert(1);
  const begun = createSignal<() => boolean>();
  const over = createGate();
  const a = await start("wrk_a", {
    deliver: async (_message, means) => {
      begun.tell(means?.mayFinish ?? (() => false));
      await over.opened;
      throw new AbandonedError("the process ends");
    },
    abandonAttempts: over.open,
  });
  await begun.until(1);
  const [mayFinish] = begun.seen;
  const b = await start("wrk_b");
  a.worker.drain(60_000);
  for (let i = 0; i < 3; i++) {
    await a.round();
    await b.round();
  }
  expect([a.worker.held().length, b.worker.held().length, mayFinish?.()]).toEqual([0, 64, true]);
  await b.polled();
  expect(b.delivered).toEqual([]);
  await a.worker.stop(0);
  await untilDelivered(1, b);
  expect(b.delivered).toHaveLength(1);
});

it("a message is read again from the store if its result is refused", async () => {
  const [message] = (await insert(1)) as [MessageDocument];
  const attempts: number[] = [];
  const a = await start("wrk_a", {
    deliver: async (attempted) => {
      attempts.push(attempted.attempts);
      if (attempts.length === 1) {
        // Another worker has counted two attempts in the meantime.
        await opened.db
          .collection<MessageDocument>("messages")
          .updateOne({ _id: message._id }, { $set: { state: "deferred", attempts: 2 } });
      }
      return ended(attempted);
    },
  });
  await untilDelivered(1, a);
  expect(attempts).toEqual([0, 2]);
  expect(await store.acrossAccounts.messages.findById(message._id)).toMatchObject({ attempts: 3 });
  expect(a.worker.held()).toContain(PARTITION);
});
