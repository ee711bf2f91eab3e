import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { AttemptResult } from "../../src/delivery/attempt-result.ts";
import type { Deliver } from "../../src/delivery/deliver.ts";
import { createQuarantine } from "../../src/delivery/queue/quarantine.ts";
import { createRecordResults, type RecordResults } from "../../src/delivery/queue/record-results.ts";
import { MAX_UNRECORDED } from "../../src/delivery/queue/unrecorded.ts";
import { createWithdraw } from "../../src/delivery/queue/withdraw.ts";
import { createDestinationLimits, type Feedback } from "../../src/delivery/routing/destination-limits.ts";
import { createWorker, type Worker } from "../../src/delivery/worker.ts";
import { createPartitions } from "../../src/leases/partitions.ts";
import { type Clock, systemClock } from "../../src/shared/clock.ts";
import { fault } from "../../src/shared/fault.ts";
import { createLogger, type Logger } from "../../src/shared/logger.ts";
import type { MessageDocument } from "../../src/store/documents.ts";
import { createPartitionStore, type PartitionStore } from "../../src/store/partition-store.ts";
import type { QueueStore } from "../../src/store/queue-store.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { PARTITION_COUNT, queuedMessage } from "../harness/queued-message.ts";
import { testSealing } from "../harness/sealing.ts";
import { eventually } from "../harness/start-hermod.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

// A busy machine needs its time.
vi.setConfig({ testTimeout: 120_000 });

let opened: TestStore;
let store: Store;
let workers: Worker[] = [];

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());
beforeEach(async () => {
  for (const name of ["messages", "events", "partitions", "workers"]) {
    await opened.db.collection(name).deleteMany({});
  }
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop(0)));
  workers = [];
});

/** The end of an attempt, as the real delivery would have it. */
function ended(message: MessageDocument, feedback: Feedback = "accepted"): AttemptResult {
  const { _id: messageId, bucket, accountId, traceId } = message;
  const attempts = message.attempts + 1;
  const at = new Date();
  const expireAt = new Date(at.getTime() + 3_600_000);
  return {
    event: {
      _id: `${messageId}.${attempts}.delivered`,
      messageId,
      accountId,
      traceId,
      kind: "delivered",
      attempt: attempts,
      at,
      expireAt,
    },
    transition: { messageId, bucket, to: "delivered", attempts, at, expireAt },
    feedback,
  };
}

interface Options {
  readonly id?: string;
  readonly concurrency?: number;
  /** Deliveries to one domain at once. */
  readonly perDomain?: number;
  readonly results?: RecordResults;
  /** Where its leases are. */
  readonly partitionStore?: PartitionStore;
  readonly queue?: QueueStore;
  readonly clock?: Clock;
  readonly log?: Logger;
}

/** A tenth as fast, so that leases outlast the stalls of a busy machine; ahead, so that what is due is due. */
function patientClock(): Clock {
  const startedMs = performance.now();
  const start = Date.now() + 60_000;
  const passedMs = () => (performance.now() - startedMs) / 10;
  return { now: () => new Date(start + passedMs()), monotonicMs: passedMs };
}

async function startWorker(deliver: Deliver, options: Options = {}): Promise<Worker> {
  const {
    id = "wrk_1",
    concurrency = 20,
    perDomain = 20,
    results = createRecordResults({ store, storeNotices: async () => undefined }),
    queue = store.queue,
    clock = systemClock,
    // Its leases last as long as the worker thinks.
    partitionStore = createPartitionStore(opened.db, clock.now),
    log = createLogger("silent"),
  } = options;
  const limits = createDestinationLimits();
  const destination = ({ recipientDomain }: MessageDocument) =>
    limits.at(recipientDomain, { concurrency: perDomain, perMinute: undefined });
  const worker = createWorker({
    queue,
    loadBodies: store.contents.loadMany,
    partitions: (deliveries) =>
      createPartitions({
        store: partitionStore,
        workerId: id,
        partitionCount: PARTITION_COUNT,
        deliveries,
        clock,
        log,
      }),
    destinations: {
      peek: destination,
      of: async (message) => destination(message),
      shares: limits.shares,
    },
    deliver,
    abandonAttempts: () => undefined,
    results,
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
    concurrency,
    onAttempt: () => undefined,
    onUnderWay: () => undefined,
  });
  await worker.start();
  workers.push(worker);
  return worker;
}

async function insert(count: number, changes: Partial<MessageDocument> = {}): Promise<MessageDocument[]> {
  const messages = Array.from({ length: count }, () => queuedMessage(new Date(), changes));
  await store.messages.insertMany(messages);
  return messages;
}

function untilDelivered(count: number) {
  return eventually(async () => {
    const done = await opened.db.collection("messages").countDocuments({ state: "delivered" });
    return done === count || undefined;
  });
}

/** A latch: deliveries wait until it is opened. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}

it("finds what is due in the store, and delivers each message once", async () => {
  await insert(1_200);
  const delivered: string[] = [];
  await startWorker(async (message) => {
    delivered.push(message._id);
    return ended(message);
  });
  await untilDelivered(1_200);
  expect(new Set(delivered).size).toBe(delivered.length);
  expect(delivered.length).toBe(1_200);
});

it("delivers what is handed over without looking into the store, once", async () => {
  let attempts = 0;
  const worker = await startWorker(async (message) => {
    attempts++;
    return ended(message);
  });
  const [message] = await insert(1);
  for (let i = 0; i < 3; i++) worker.receive(message as MessageDocument);
  await untilDelivered(1);
  worker.receive(message as MessageDocument);
  await sleep(50);
  expect(attempts).toBe(1);
});

it("gives transactional messages their turn though a thousand of bulk wait", async () => {
  await insert(1_500, { priority: "bulk" });
  const order: string[] = [];
  const worker = await startWorker(
    async (message) => {
      order.push(message.priority);
      await sleep(1);
      return ended(message);
    },
    { concurrency: 5 },
  );
  await eventually(async () => (order.length > 100 ? true : undefined));
  const offeredAt = order.length;
  // With its body, as by the process that has just stored it: it need not be read from the queue.
  const body = { kind: "raw" as const, source: Buffer.from("Subject: Hello\r\n\r\n") };
  for (const message of await insert(5)) worker.receive(message, body);
  await eventually(async () =>
    order.filter((priority) => priority === "transactional").length === 5 ? true : undefined,
  );
  expect(order.lastIndexOf("transactional") - offeredAt).toBeLessThan(500);
});

it("a message is delivered from the partition that it is stored in, whatever its hash would be by now", async () => {
  const [own] = await insert(1);
  await insert(1, { partition: ((own?.partition ?? 0) + 1) % PARTITION_COUNT });
  await startWorker(async (message) => ended(message));
  await untilDelivered(2);
});

it("a domain whose server hangs holds up nobody else", async () => {
  const hanging = gate();
  await insert(1_200, { recipientDomain: "tarpit.example" });
  await startWorker(
    async (message) => {
      if (message.recipientDomain === "tarpit.example") await hanging.opened;
      return ended(message);
    },
    { concurrency: 50 },
  );
  await insert(300, { recipientDomain: "quick.example" });
  await untilDelivered(300);
  hanging.open();
  await untilDelivered(1_500);
});

it("a backlog of thousands to servers that hang keeps nobody out, neither others nor its own account's rest", async () => {
  const hanging = gate();
  const hour = 3_600_000;
  const due = (agoMs: number) => ({ nextAttemptAt: new Date(Date.now() - agoMs) });
  for (let i = 0; i < 9; i++) {
    await insert(600, { accountId: "acc_flood", recipientDomain: `tarpit${i}.example`, ...due(hour) });
  }
  const delivered: string[] = [];
  const worker = await startWorker(
    async (message) => {
      if (message.recipientDomain.startsWith("tarpit")) await hanging.opened;
      else delivered.push(message._id);
      return ended(message);
    },
    { concurrency: 50 },
  );
  const handedOver = await insert(1, { accountId: "acc_flood", recipientDomain: "quick1.example" });
  for (const message of handedOver) worker.receive(message);
  const polled = [
    ...(await insert(1, { accountId: "acc_flood", recipientDomain: "quick2.example", ...due(1_000) })),
    ...(await insert(1, { accountId: "acc_other", recipientDomain: "quick3.example", ...due(1_000) })),
  ];
  const innocent = [...handedOver, ...polled].map(({ _id }) => _id);
  await eventually(async () => (innocent.every((id) => delivered.includes(id)) ? true : undefined), 60_000);
  hanging.open();
});

describe("two workers", () => {
  it("deliver each message once between them, also when one joins and leaves under way", async () => {
    const delivered: string[] = [];
    const deliver: Deliver = async (message) => {
      await sleep(5);
      delivered.push(message._id);
      return ended(message);
    };
    const domains = Array.from({ length: 40 }, (_, i) => `domain${i}.example`);
    for (const recipientDomain of domains) await insert(20, { recipientDomain });
    const clock = patientClock();
    await startWorker(deliver, { concurrency: 5, clock });
    const second = await startWorker(deliver, { id: "wrk_2", concurrency: 5, clock });
    await eventually(async () => (second.held().length === 32 ? true : undefined));
    await second.stop(5_000);
    workers = workers.filter((worker) => worker !== second);
    await untilDelivered(800);
    expect(new Set(delivered).size).toBe(800);
    expect(delivered.length).toBe(800);
  });

  it("a message under way is not delivered by the worker that its partition is handed to", async () => {
    const slow = gate();
    const attempts: string[] = [];
    await insert(64, { recipientDomain: "slow.example" });
    const deliver =
      (id: string): Deliver =>
      async (message) => {
        attempts.push(id);
        await slow.opened;
        return ended(message);
      };
    const clock = patientClock();
    const first = await startWorker(deliver("wrk_1"), { concurrency: 64, perDomain: 5, clock });
    await eventually(async () => (attempts.length === 5 ? true : undefined));
    const second = await startWorker(deliver("wrk_2"), { id: "wrk_2", perDomain: 5, clock });
    await eventually(async () =>
      first.held().length + second.held().length === 64 && second.held().length === 32 ? true : undefined,
    );
    slow.open();
    await untilDelivered(64);
    expect(attempts.length).toBe(64);
  });
});

it("a worker that has lost its lease cannot undo what its successor wrote", async () => {
  const stalled = gate();
  const [message] = await insert(1);
  let renewing = true;
  const partitionStore: PartitionStore = {
    ...store.partitions,
    announceWorker: (...args) =>
      renewing ? store.partitions.announceWorker(...args) : Promise.reject(new Error("stalled")),
    renew: (...args) => (renewing ? store.partitions.renew(...args) : Promise.reject(new Error("stalled"))),
  };
  let attempted = false;
  const first = await startWorker(
    async (attempt) => {
      attempted = true;
      await stalled.opened;
      const { event, transition } = ended(attempt);
      const retryAt = new Date(Date.now() + 3_600_000);
      return {
        event: { ...event, kind: "deferred", _id: `${attempt._id}.1.deferred` },
        transition: { ...transition, to: "deferred", nextAttemptAt: retryAt },
        feedback: "neutral",
      };
    },
    { partitionStore },
  );
  await eventually(async () => attempted || undefined);
  renewing = false;
  await startWorker(async (attempt) => ended(attempt), { id: "wrk_2" });
  await untilDelivered(1);
  expect(first.held()).toEqual([]);
  stalled.open();
  await eventually(async () => {
    const events = await store.events.listOfMessage(message?._id ?? "");
    return events.length === 2 ? true : undefined;
  });
  await sleep(100);
  const after = await store.messages.findById(message?._id ?? "");
  expect(after).toMatchObject({ state: "delivered", attempts: 1 });
  expect(after?.nextAttemptAt).toBeUndefined();
});

it("a result that cannot be written is written when the store is back, and the message is not sent again", async () => {
  let attempts = 0;
  let failures = 0;
  const recordResults = createRecordResults({ store, storeNotices: async () => undefined });
  const record: RecordResults["record"] = async (result) => {
    if (failures++ < 3) throw fault("store.unavailable");
    return recordResults.record(result);
  };
  await insert(1);
  await startWorker(
    async (message) => {
      attempts++;
      return ended(message);
    },
    { results: { record } },
  );
  await untilDelivered(1);
  expect([attempts, failures]).toEqual([1, 4]);
});

describe("while results cannot be recorded", () => {
  /** Leases last, and time passes when the test says so. */
  function steppedClock() {
    let passedMs = 0;
    const startMs = Date.now();
    return {
      clock: { now: () => new Date(startMs + passedMs), monotonicMs: () => passedMs },
      pass: (ms: number) => {
        passedMs += ms;
      },
    };
  }

  /** Messages that the worker is offered, each to a domain of its own. Polling does not find them: they are not due. */
  async function offerTo(worker: Worker, count: number): Promise<void> {
    const at = new Date(Date.now() + 3_600_000);
    const messages = Array.from({ length: count }, (_, i) =>
      queuedMessage(at, { recipientDomain: `domain-${i}.example` }),
    );
    await store.messages.insertMany(messages);
    for (const message of messages) worker.receive(message);
  }

  /** Records once its gate is open. */
  function gatedResults() {
    const { open, opened: released } = gate();
    const recordResults = createRecordResults({ store, storeNotices: async () => undefined });
    let asked = 0;
    const record: RecordResults["record"] = async (result) => {
      asked++;
      await released;
      return recordResults.record(result);
    };
    return { results: { record }, open, asked: () => asked };
  }

  it("nothing is begun once so many wait, and all goes on when they can be", async () => {
    const { clock } = steppedClock();
    const { results, open, asked } = gatedResults();
    const attempts: string[] = [];
    const worker = await startWorker(
      async (message) => {
        attempts.push(message._id);
        return ended(message);
      },
      { results, clock, concurrency: 1_000 },
    );
    await offerTo(worker, MAX_UNRECORDED);
    await eventually(async () => (asked() === MAX_UNRECORDED ? true : undefined));
    await offerTo(worker, 10);
    expect(attempts).toHaveLength(MAX_UNRECORDED);
    open();
    await untilDelivered(MAX_UNRECORDED + 10);
    expect(attempts).toHaveLength(MAX_UNRECORDED + 10);
  });

  it("nothing is begun and nothing goes on to the final dot within a second", async () => {
    const { clock, pass } = steppedClock();
    const { results, open, asked } = gatedResults();
    const attempts: string[] = [];
    const goOn = gate();
    let mayFinish: (() => boolean) | undefined;
    const worker = await startWorker(
      async (message, means) => {
        attempts.push(message._id);
        if (attempts.length === 2) {
          mayFinish = means?.mayFinish;
          await goOn.opened;
        }
        return ended(message);
      },
      { results, clock },
    );
    await offerTo(worker, 2);
    await eventually(async () => (asked() === 1 && mayFinish ? true : undefined));
    pass(999);
    await offerTo(worker, 1);
    expect(mayFinish?.()).toBe(true);
    pass(1);
    expect(mayFinish?.()).toBe(false);
    expect(attempts).toHaveLength(2);
    open();
    goOn.open();
    await untilDelivered(3);
    expect(new Set(attempts).size).toBe(3);
    expect(attempts).toHaveLength(3);
    expect(mayFinish?.()).toBe(true);
  });
});

it("says a few times that the store is away, not once for each result and each try", async () => {
  const lines = new PassThrough();
  const recordResults = createRecordResults({ store, storeNotices: async () => undefined });
  let failures = 0;
  const record: RecordResults["record"] = async (result) => {
    if (failures < 500) {
      failures++;
      throw fault("store.unavailable");
    }
    return recordResults.record(result);
  };
  const messages = Array.from({ length: 100 }, (_, i) =>
    queuedMessage(new Date(), { recipientDomain: `domain-${i}.example` }),
  );
  await store.messages.insertMany(messages);
  const log = createLogger("info", lines);
  await startWorker(async (message) => ended(message), { results: { record }, log, concurrency: 100 });
  await untilDelivered(100);
  const written = String(lines.read())
    .split("\n")
    .filter((line) => line.includes("result not recorded yet"));
  expect(failures).toBe(500);
  // Three, and one every half minute, should the machine be that slow.
  expect(written.length).toBeGreaterThan(0);
  expect(written.length).toBeLessThan(10);
});

it("an attempt that could not be made is made again", async () => {
  let attempts = 0;
  await insert(1);
  await startWorker(async (message) => {
    if (attempts++ === 0) throw fault("store.unavailable");
    return ended(message);
  });
  await untilDelivered(1);
  expect(attempts).toBe(2);
});

describe("messages that somebody wants back", () => {
  const read = async (message: MessageDocument | undefined) =>
    (await store.messages.findById(message?._id ?? ""))?.state;

  it("are withdrawn while they wait for their turn", async () => {
    const busy = gate();
    const messages = await insert(3);
    const attempted: string[] = [];
    await startWorker(
      async (message) => {
        attempted.push(message._id);
        await busy.opened;
        return ended(message);
      },
      { perDomain: 1 },
    );
    const waiting = messages.find(({ _id }) => !attempted.includes(_id));
    await store.queue.requestCancel(waiting as MessageDocument, new Date());
    await eventually(async () => ((await read(waiting)) === "cancelled" ? true : undefined));
    busy.open();
    await untilDelivered(2);
    expect(attempted).not.toContain(waiting?._id);
    const events = await store.events.listOfMessage(waiting?._id ?? "");
    expect(events.map(({ kind }) => kind)).toEqual(["cancelled"]);
  });

  it("are delivered when it is too late", async () => {
    const busy = gate();
    const [message] = await insert(1);
    let attempts = 0;
    await startWorker(async (message) => {
      attempts++;
      await busy.opened;
      return ended(message);
    });
    await store.queue.requestCancel(message as MessageDocument, new Date());
    await sleep(1_500);
    expect(await read(message)).toBe("queued");
    busy.open();
    await untilDelivered(1);
    expect(attempts).toBe(1);
  });

  it("are not said to be withdrawn when they were delivered while the request was being read", async () => {
    const [message] = await insert(1);
    const asked = { ...(message as MessageDocument), cancelRequestedAt: new Date() };
    let reads = 0;
    const queue: QueueStore = {
      ...store.queue,
      findCancelRequests: async () => {
        // Found before the delivery, looked at after it.
        await untilDelivered(1);
        reads++;
        return { documents: [asked], unreadable: [] };
      },
    };
    const worker = startWorker(async (attempt) => ended(attempt), { queue });
    const leased = () => opened.db.collection("partitions").countDocuments();
    await eventually(async () => ((await leased()) === 64 ? true : undefined));
    await store.queue.applyTransitions([{ ...ended(asked).transition, epoch: 1 }]);
    await worker;
    await eventually(async () => (reads > 0 ? true : undefined));
    const events = await store.events.listOfMessage(asked._id);
    expect(events.map(({ kind }) => kind)).not.toContain("cancelled");
  });
});
