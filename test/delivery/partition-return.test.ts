import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { AttemptResult } from "../../src/delivery/attempt-result.ts";
import { AbandonedError, type Deliver } from "../../src/delivery/deliver.ts";
import { createQuarantine } from "../../src/delivery/queue/quarantine.ts";
import { createRecordResults, type RecordResults } from "../../src/delivery/queue/record-results.ts";
import { createWithdraw } from "../../src/delivery/queue/withdraw.ts";
import { createDestinationLimits } from "../../src/delivery/routing/destination-limits.ts";
import { createWorker, type Worker } from "../../src/delivery/worker.ts";
import { createPartitions, type Partitions } from "../../src/leases/partitions.ts";
import { createLogger } from "../../src/shared/logger.ts";
import type { MessageDocument } from "../../src/store/documents.ts";
import { createPartitionStore } from "../../src/store/partition-store.ts";
import type { QueueStore } from "../../src/store/queue-store.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { PARTITION_COUNT, queuedMessage } from "../harness/queued-message.ts";
import { testSealing } from "../harness/sealing.ts";
import { eventually } from "../harness/start-hermod.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

let opened: TestStore;
let store: Store;
let nowMs: number;
const clock = { now: () => new Date(nowMs), monotonicMs: () => nowMs };
const log = createLogger("silent");
/** One that a second worker gets. */
const PARTITION = 40;

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());
const workers: Worker[] = [];
beforeEach(async () => {
  nowMs = Date.UTC(2030, 0, 1);
  for (const name of ["messages", "events", "partitions", "workers"]) {
    await opened.db.collection(name).deleteMany({});
  }
});
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop(0);
});

function ended(message: MessageDocument): AttemptResult {
  const { _id: messageId, bucket, accountId, traceId } = message;
  const attempt = message.attempts + 1;
  const at = clock.now();
  const expireAt = new Date(nowMs + 3_600_000);
  const event = { _id: `${messageId}.${attempt}`, messageId, accountId, traceId, attempt, at, expireAt };
  return {
    event: { ...event, kind: "delivered" },
    transition: { messageId, bucket, to: "delivered", attempts: attempt, at, expireAt },
    feedback: "accepted",
  };
}

interface Parts {
  readonly deliver?: Deliver;
  readonly queue?: QueueStore;
  readonly results?: RecordResults;
  readonly abandonAttempts?: () => void;
  /** When its destination takes something. */
  readonly startsAtMs?: () => number;
}

/** A worker whose leases are renewed by hand. */
async function start(id: string, parts: Parts = {}) {
  const delivered: string[] = [];
  let polls = 0;
  let partitions: Partitions | undefined;
  const startsAtMs = parts.startsAtMs ?? (() => nowMs);
  const site = createDestinationLimits().at(id, { concurrency: 1_000, perMinute: undefined });
  const destination = { ...site, startsAtMs };
  const queue = parts.queue ?? store.queue;
  const worker = createWorker({
    queue: {
      ...queue,
      findCancelRequests: (...args) => {
        polls++;
        return queue.findCancelRequests(...args);
      },
    },
    loadBodies: store.contents.loadMany,
    partitions: (deliveries) => {
      const made = createPartitions({
        store: createPartitionStore(opened.db, clock.now),
        workerId: id,
        partitionCount: PARTITION_COUNT,
        deliveries,
        clock,
        log,
      });
      partitions = { ...made, start: made.round };
      return partitions;
    },
    destinations: {
      peek: () => destination,
      of: async () => destination,
      shares: createDestinationLimits().shares,
    },
    deliver:
      parts.deliver ??
      (async (message) => {
        delivered.push(message._id);
        return ended(message);
      }),
    abandonAttempts: parts.abandonAttempts ?? (() => undefined),
    results: parts.results ?? createRecordResults({ store, storeNotices: async () => undefined }),
    withdraw: createWithdraw({ store, clock, retentionMs: 3_600_000 }),
    quarantine: createQuarantine({
      store,
      clock,
      log,
      retentionMs: 3_600_000,
      onQuarantined: () => undefined,
    }),
    clock,
    log,
    concurrency: 100,
    onAttempt: () => undefined,
    onUnderWay: () => undefined,
  });
  await worker.start();
  workers.push(worker);
  return {
    worker,
    delivered,
    round: async () => {
      nowMs += 1_000;
      await partitions?.round();
    },
    /** Resolves when a poll that began after this is over. */
    polled: async () => {
      const before = polls;
      await eventually(async () => (polls > before + 1 ? true : undefined));
    },
  };
}

async function insert(count: number): Promise<MessageDocument[]> {
  const messages = Array.from({ length: count }, () =>
    queuedMessage(clock.now(), { partition: PARTITION, recipientDomain: "paused.example" }),
  );
  await store.messages.insertMany(messages);
  return messages;
}

const countDelivered = () => opened.db.collection("messages").countDocuments({ state: "delivered" });

it("what another worker delivered meanwhile is not sent again when its partition comes back", async () => {
  await insert(96);
  const pausedUntilMs = nowMs + 3_500;
  const a = await start("wrk_a", { startsAtMs: () => Math.max(nowMs, pausedUntilMs) });
  const b = await start("wrk_b");
  await a.round();
  await b.round();
  expect(b.worker.held()).toContain(PARTITION);
  await eventually(async () => ((await countDelivered()) === 96 ? true : undefined));
  await b.worker.stop(0);
  await a.round();
  expect(a.worker.held()).toContain(PARTITION);
  const fresh = await insert(1);
  await a.round();
  await eventually(async () => ((await countDelivered()) === 97 ? true : undefined));
  expect(a.delivered).toEqual(fresh.map(({ _id }) => _id));
});

it("an attempt is not begun for what was read under an earlier epoch, however late the reading ends", async () => {
  let release = () => {};
  const slow = new Promise<void>((resolve) => {
    release = resolve;
  });
  let asked = () => {};
  const reading = new Promise<void>((resolve) => {
    asked = resolve;
  });
  let first = true;
  const queue: QueueStore = {
    ...store.queue,
    findDue: async (query) => {
      const due = await store.queue.findDue(query);
      if (first && due.documents.length > 0) {
        first = false;
        asked();
        await slow;
      }
      return due;
    },
  };
  const a = await start("wrk_a", { queue });
  const [message] = (await insert(1)) as [MessageDocument];
  await reading;
  // Its leases run out while it reads; another worker delivers and leaves.
  nowMs += 10_000;
  const b = await start("wrk_b");
  await b.round();
  await b.round();
  await eventually(async () => ((await countDelivered()) === 1 ? true : undefined));
  // Put off by its owner: it waits again, with an attempt more.
  const again = { state: "deferred", attempts: 1, nextAttemptAt: new Date(nowMs + 60_000) } as const;
  await opened.db.collection<MessageDocument>("messages").updateOne({ _id: message._id }, { $set: again });
  await b.worker.stop(0);
  await a.round();
  await a.round();
  release();
  await a.polled();
  expect(a.worker.held()).toContain(PARTITION);
  expect(a.delivered).toEqual([]);
});

it("a worker that lost its lease while it prepared a message does not send it", async () => {
  await insert(1);
  const sent: string[] = [];
  let prepared = () => {};
  const preparing = new Promise<void>((resolve) => {
    prepared = resolve;
  });
  let go = () => {};
  const goOn = new Promise<void>((resolve) => {
    go = resolve;
  });
  const asked: (boolean | undefined)[] = [];
  const a = await start("wrk_a", {
    deliver: async (message, means) => {
      asked.push(means?.mayFinish?.());
      prepared();
      await goOn;
      asked.push(means?.mayFinish?.());
      sent.push(message._id);
      return ended(message);
    },
  });
  await preparing;
  nowMs += 10_000;
  go();
  await eventually(async () => (sent.length === 1 ? true : undefined));
  expect(asked).toEqual([true, false]);
  expect(a.worker.held()).toEqual([]);
});

it("what is under way while its partition is handed on may be finished", async () => {
  await insert(1);
  let mayFinish: (() => boolean) | undefined;
  let go = () => {};
  const goOn = new Promise<void>((resolve) => {
    go = resolve;
  });
  const a = await start("wrk_a", {
    deliver: async (message, means) => {
      mayFinish = means?.mayFinish;
      await goOn;
      return ended(message);
    },
  });
  await eventually(async () => (mayFinish ? true : undefined));
  const b = await start("wrk_b");
  await a.round();
  await b.round();
  expect([a.worker.lease(PARTITION), mayFinish?.()]).toEqual([undefined, true]);
  await a.round();
  await b.round();
  expect([b.worker.held().includes(PARTITION), mayFinish?.()]).toEqual([true, true]);
  go();
  await eventually(async () => ((await countDelivered()) === 1 ? true : undefined));
  expect(b.delivered).toEqual([]);
});

it("a worker that drains leaves its partitions to others at once, and what it abandons in the end too", async () => {
  await insert(1);
  let begun = (_mayFinish: () => boolean) => {};
  const delivering = new Promise<() => boolean>((resolve) => {
    begun = resolve;
  });
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const a = await start("wrk_a", {
    deliver: async (_message, means) => {
      begun(means?.mayFinish ?? (() => false));
      await over;
      throw new AbandonedError("the process ends");
    },
    abandonAttempts: () => end(),
  });
  const mayFinish = await delivering;
  const b = await start("wrk_b");
  a.worker.drain(60_000);
  for (let i = 0; i < 3; i++) {
    await a.round();
    await b.round();
  }
  expect([a.worker.held().length, b.worker.held().length, mayFinish()]).toEqual([0, 64, true]);
  await b.polled();
  expect(b.delivered).toEqual([]);
  await a.worker.stop(0);
  await eventually(async () => ((await countDelivered()) === 1 ? true : undefined));
  expect(b.delivered).toHaveLength(1);
});

it("a message whose result is refused is attended to again, as the store has it", async () => {
  const [message] = (await insert(1)) as [MessageDocument];
  const attempts: number[] = [];
  const a = await start("wrk_a", {
    deliver: async (attempted) => {
      attempts.push(attempted.attempts);
      if (attempts.length === 1) {
        // Somebody else has counted two attempts meanwhile.
        await opened.db
          .collection<MessageDocument>("messages")
          .updateOne({ _id: message._id }, { $set: { state: "deferred", attempts: 2 } });
      }
      return ended(attempted);
    },
  });
  await eventually(async () => ((await countDelivered()) === 1 ? true : undefined));
  expect(attempts).toEqual([0, 2]);
  expect(await store.messages.findById(message._id)).toMatchObject({ attempts: 3 });
  expect(a.worker.held()).toContain(PARTITION);
});
