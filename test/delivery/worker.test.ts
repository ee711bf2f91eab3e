import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Deliver } from "../../src/delivery/deliver.ts";
import { createRecordResults, type RecordResults } from "../../src/delivery/queue/record-results.ts";
import { MAX_UNRECORDED } from "../../src/delivery/queue/unrecorded.ts";
import { createWithdraw } from "../../src/delivery/queue/withdraw.ts";
import type { WorkerOptions } from "../../src/delivery/worker-options.ts";
import type { PartitionsOptions } from "../../src/leases/partitions.ts";
import { fault } from "../../src/shared/fault.ts";
import { createLogger } from "../../src/shared/logger.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { createPartitionStore } from "../../src/store/partition-store.ts";
import { type AcrossAccounts, createStore, type Store } from "../../src/store/store.ts";
import { applyTransitions } from "../harness/apply-transitions.ts";
import { testAudit } from "../harness/audit.ts";
import { PARTITION_COUNT, queuedMessage } from "../harness/queued-message.ts";
import { testSealing } from "../harness/sealing.ts";
import { createGate, createSignal } from "../harness/signal.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";
import { createTestTime, type TestTime } from "../harness/test-time.ts";
import {
  createTestWorker,
  deliveredResult,
  passSecond,
  passUntil,
  type TestWorker,
} from "../harness/test-worker.ts";

let opened: TestStore;
let store: Store;
let time: TestTime;
let workers: TestWorker[] = [];
/** Attempts of all workers of a test. */
let recorded: number;

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());
beforeEach(async () => {
  time = createTestTime();
  recorded = 0;
  for (const name of ["messages", "events", "partitions", "workers"]) {
    await opened.db.collection(name).deleteMany({});
  }
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop(0)));
  workers = [];
});

const now = () => time.clock.now();
/** The result of an attempt, as the real delivery would return it. */
const ended = (message: MessageDocument) => deliveredResult(message, now());

interface Options extends Partial<WorkerOptions> {
  readonly id?: string;
  readonly perDomain?: number;
  readonly leases?: Partial<PartitionsOptions>;
}

function createIdleWorker(deliver: Deliver, options: Options = {}): TestWorker {
  const { id = "wrk_1", perDomain = 20, leases = {}, ...changes } = options;
  const onAttempt: WorkerOptions["onAttempt"] = (_message, result) => {
    recorded++;
    worker.recorded.tell(result);
  };
  const worker = createTestWorker({
    db: opened.db,
    time,
    id,
    deliver,
    perDomain,
    leases,
    changes: { onAttempt, ...changes },
  });
  workers.push(worker);
  return worker;
}

async function startWorker(deliver: Deliver, options: Options = {}): Promise<TestWorker> {
  const worker = createIdleWorker(deliver, options);
  await worker.start();
  return worker;
}

async function insert(count: number, changes: Partial<MessageDocument> = {}): Promise<MessageDocument[]> {
  const messages = Array.from({ length: count }, () => queuedMessage(now(), changes));
  await store.acrossAccounts.messages.insertMany(messages);
  return messages;
}

async function requestCancel(message: MessageDocument | undefined): Promise<void> {
  const { queue } = store.forAccount(message?.accountId ?? "");
  await queue.requestCancel(message as MessageDocument, { at: now(), audit: testAudit });
}

async function passSeconds(count: number): Promise<void> {
  for (let second = 0; second < count; second++) await passSecond(time, workers);
}

const until = (isSo: () => boolean | Promise<boolean>) => passUntil(time, () => workers, isSo);

async function untilDelivered(count: number): Promise<void> {
  // The store is queried only after this number of recorded attempts, because its count grows with them.
  await until(() => recorded >= count);
  await until(
    async () => (await opened.db.collection("messages").countDocuments({ state: "delivered" })) === count,
  );
}

it("finds due messages in the store, and delivers each once", async () => {
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

it("delivers a dispatched message without reading the queue, once", async () => {
  let attempts = 0;
  const worker = await startWorker(async (message) => {
    attempts++;
    return ended(message);
  });
  // A message stored in the first 11 seconds of a partition may belong to another worker, and is left to the poll.
  await passSeconds(11);
  const [message] = await insert(1);
  // No time passes: no poll can find it.
  for (let i = 0; i < 3; i++) worker.receive(message as MessageDocument);
  await worker.recorded.until(1);
  worker.receive(message as MessageDocument);
  await passSeconds(1);
  expect(attempts).toBe(1);
});

it("gives transactional messages their turn while a thousand of bulk wait", async () => {
  await insert(1_500, { priority: "bulk" });
  const order = createSignal<string>();
  const worker = await startWorker(
    async (message) => {
      order.tell(message.priority);
      await sleep(1);
      return ended(message);
    },
    { concurrency: 5 },
  );
  await order.until(100);
  const offeredAt = order.seen.length;
  // With its body, as by the process that has just stored it: it need not be read from the queue.
  const body = { kind: "raw" as const, source: Buffer.from("Subject: Hello\r\n\r\n") };
  for (const message of await insert(5)) worker.receive(message, body);
  await order.until((seen) => seen.filter((priority) => priority === "transactional").length === 5);
  expect(order.seen.lastIndexOf("transactional") - offeredAt).toBeLessThan(500);
});

it("a message is delivered from the partition in which it is stored, even if its hash has changed", async () => {
  const [own] = await insert(1);
  await insert(1, { partition: ((own?.partition ?? 0) + 1) % PARTITION_COUNT });
  await startWorker(async (message) => ended(message));
  await untilDelivered(2);
});

it("a domain with a server that hangs delays no other", async () => {
  const hanging = createGate();
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

it("a backlog of thousands to servers that hang blocks neither others nor the rest of its own account", async () => {
  const hanging = createGate();
  const hour = 3_600_000;
  const due = (agoMs: number) => ({ nextAttemptAt: new Date(now().getTime() - agoMs) });
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
  await until(() => innocent.every((id) => delivered.includes(id)));
  hanging.open();
});

describe("two workers", () => {
  it("deliver each message once between them, also when one joins and leaves during it", async () => {
    const delivered: string[] = [];
    const deliver: Deliver = async (message) => {
      await sleep(5);
      delivered.push(message._id);
      return ended(message);
    };
    const domains = Array.from({ length: 40 }, (_, i) => `domain${i}.example`);
    for (const recipientDomain of domains) await insert(8, { recipientDomain });
    await startWorker(deliver, { concurrency: 5 });
    const second = await startWorker(deliver, { id: "wrk_2", concurrency: 5 });
    await until(() => second.held().length === 32);
    workers = workers.filter((worker) => worker !== second);
    expect(delivered.length).toBeLessThan(200);
    await second.stop(5_000);
    await untilDelivered(320);
    expect(new Set(delivered).size).toBe(320);
    expect(delivered.length).toBe(320);
  });

  it("a message that a worker without the store has sent is not sent again, if its result comes before the next owner's turn", async () => {
    const isCut = { value: false };
    const healed = createGate();
    const partitions = createPartitionStore(opened.db, now);
    const results = createRecordResults({ store, storeNotices: async () => undefined });
    const sent = createSignal<string>();
    await insert(3);
    const first = createIdleWorker(
      async (message) => {
        sent.tell(message._id);
        return ended(message);
      },
      {
        id: "wrk_a",
        leases: {
          store: {
            ...partitions,
            announceWorker: async (...announced) => {
              if (isCut.value) throw fault("store.unavailable");
              return partitions.announceWorker(...announced);
            },
            renew: async (...renewed) => {
              if (isCut.value) throw fault("store.unavailable");
              return partitions.renew(...renewed);
            },
          },
        },
        results: {
          record: async (result) => {
            await healed.opened;
            return results.record(result);
          },
        },
      },
    );
    await first.start();
    await sent.until(3);
    isCut.value = true;
    const busy = createGate();
    const sentAgain = createSignal<string>();
    const second = await startWorker(
      async (message) => {
        sentAgain.tell(message._id);
        await busy.opened;
        return ended(message);
      },
      { id: "wrk_b", perDomain: 1 },
    );
    await until(() => sentAgain.seen.length === 1);
    healed.open();
    await first.recorded.until(3);
    busy.open();
    await second.recorded.until(1);
    await passSeconds(40);
    expect(sentAgain.seen).toHaveLength(1);
    const states = (await store.acrossAccounts.messages.findByIds(sent.seen)).map(({ state }) => state);
    expect(states).toEqual(["delivered", "delivered", "delivered"]);
  });

  it("a message in progress is not delivered by the worker that receives its partition", async () => {
    const slow = createGate();
    const attempts = createSignal<string>();
    await insert(64, { recipientDomain: "slow.example" });
    const deliver =
      (id: string): Deliver =>
      async (message) => {
        attempts.tell(id);
        await slow.opened;
        return ended(message);
      };
    const first = await startWorker(deliver("wrk_1"), { concurrency: 64, perDomain: 5 });
    await attempts.until(5);
    const second = await startWorker(deliver("wrk_2"), { id: "wrk_2", perDomain: 5 });
    await until(() => first.held().length + second.held().length === 64 && second.held().length === 32);
    slow.open();
    await untilDelivered(64);
    expect(attempts.seen).toHaveLength(64);
  });
});

it("a worker that has lost its lease cannot undo the writes of its successor", async () => {
  const stalled = createGate();
  const [message] = await insert(1);
  let renewing = true;
  const leases = createPartitionStore(opened.db, now);
  const stall = () => Promise.reject(new Error("stalled"));
  const begun = createSignal();
  const first = await startWorker(
    async (attempt) => {
      begun.tell();
      await stalled.opened;
      const { event, transition } = ended(attempt);
      const retryAt = new Date(now().getTime() + 3_600_000);
      return {
        message: attempt,
        event: { ...event, kind: "deferred", _id: `${attempt._id}.1.deferred` },
        transition: { ...transition, to: "deferred", nextAttemptAt: retryAt },
        feedback: "neutral",
      };
    },
    {
      leases: {
        store: {
          ...leases,
          announceWorker: (...args) => (renewing ? leases.announceWorker(...args) : stall()),
          renew: (...args) => (renewing ? leases.renew(...args) : stall()),
        },
      },
    },
  );
  await begun.until(1);
  renewing = false;
  await startWorker(async (attempt) => ended(attempt), { id: "wrk_2" });
  await untilDelivered(1);
  expect(first.held()).toEqual([]);
  stalled.open();
  await first.recorded.until(1);
  expect(await store.acrossAccounts.events.listOfMessage(message?._id ?? "")).toHaveLength(2);
  const after = await store.acrossAccounts.messages.findById(message?._id ?? "");
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
  /** Messages that the worker is offered, each to a domain of its own. Polling does not find them: they are not due. */
  async function offerTo(worker: TestWorker, count: number): Promise<void> {
    const at = new Date(now().getTime() + 3_600_000);
    const messages = Array.from({ length: count }, (_, i) =>
      queuedMessage(at, { recipientDomain: `domain-${i}.example` }),
    );
    await store.acrossAccounts.messages.insertMany(messages);
    for (const message of messages) worker.receive(message);
  }

  /** Records once its gate is open. */
  function gatedResults() {
    const { open, opened: released } = createGate();
    const recordResults = createRecordResults({ store, storeNotices: async () => undefined });
    const asked = createSignal();
    const record: RecordResults["record"] = async (result) => {
      asked.tell();
      await released;
      return recordResults.record(result);
    };
    return { results: { record }, open, asked };
  }

  it("nothing begins beyond a limit, and everything continues when they can be", async () => {
    const { results, open, asked } = gatedResults();
    const attempts: string[] = [];
    const worker = await startWorker(
      async (message) => {
        attempts.push(message._id);
        return ended(message);
      },
      { results, concurrency: 1_000 },
    );
    await offerTo(worker, MAX_UNRECORDED);
    await asked.until(MAX_UNRECORDED);
    await offerTo(worker, 10);
    expect(attempts).toHaveLength(MAX_UNRECORDED);
    open();
    await untilDelivered(MAX_UNRECORDED + 10);
    expect(attempts).toHaveLength(MAX_UNRECORDED + 10);
  });

  it("nothing begins and nothing continues to the final dot within a second", async () => {
    const { results, open, asked } = gatedResults();
    const attempts: string[] = [];
    const goOn = createGate();
    const second = createSignal();
    let mayFinish: (() => boolean) | undefined;
    const worker = await startWorker(
      async (message, means) => {
        attempts.push(message._id);
        if (attempts.length === 2) {
          mayFinish = means?.mayFinish;
          second.tell();
          await goOn.opened;
        }
        return ended(message);
      },
      { results },
    );
    await offerTo(worker, 2);
    await Promise.all([asked.until(1), second.until(1)]);
    time.pass(999);
    await offerTo(worker, 1);
    expect(mayFinish?.()).toBe(true);
    time.pass(1);
    expect(mayFinish?.()).toBe(false);
    expect(attempts).toHaveLength(2);
    open();
    goOn.open();
    await worker.recorded.until(3);
    await untilDelivered(3);
    expect(new Set(attempts).size).toBe(3);
    expect(attempts).toHaveLength(3);
    expect(mayFinish?.()).toBe(true);
  });
});

it("logs the outage of the store a few times, not once for each result and each try", async () => {
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
    queuedMessage(now(), { recipientDomain: `domain-${i}.example` }),
  );
  await store.acrossAccounts.messages.insertMany(messages);
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

describe("messages that a client withdraws", () => {
  const read = async (message: MessageDocument | undefined) =>
    (await store.acrossAccounts.messages.findById(message?._id ?? ""))?.state;

  it("are withdrawn while they wait for their turn", async () => {
    const busy = createGate();
    const messages = await insert(3);
    const attempted = createSignal<string>();
    await startWorker(
      async (message) => {
        attempted.tell(message._id);
        await busy.opened;
        return ended(message);
      },
      { perDomain: 1 },
    );
    await attempted.until(1);
    const waiting = messages.find(({ _id }) => !attempted.seen.includes(_id));
    await requestCancel(waiting);
    await until(async () => (await read(waiting)) === "cancelled");
    busy.open();
    await untilDelivered(2);
    expect(attempted.seen).not.toContain(waiting?._id);
    const events = await store.acrossAccounts.events.listOfMessage(waiting?._id ?? "");
    expect(events.map(({ kind }) => kind)).toEqual(["cancelled"]);
  });

  it("are withdrawn by a few writes, for any number, while other mail is delivered", async () => {
    const inAnHour = new Date(now().getTime() + 3_600_000);
    const many = await insert(1_200, { nextAttemptAt: inAnHour });
    const ids = { _id: { $in: many.map(({ _id }) => _id) } };
    await opened.db
      .collection<MessageDocument>("messages")
      .updateMany(ids, { $set: { cancelRequestedAt: now() } });
    const withdrawing = createGate();
    let writes = 0;
    const withdraw = createWithdraw({ store: store.acrossAccounts, clock: time.clock, retentionMs: 1_000 });
    await startWorker(async (message) => ended(message), {
      withdraw: async (messages, epoch) => {
        writes++;
        await withdrawing.opened;
        return withdraw(messages, epoch);
      },
    });
    await insert(5);
    await untilDelivered(5);
    withdrawing.open();
    const cancelled = { ...ids, state: "cancelled" };
    await until(
      async () => (await opened.db.collection("messages").countDocuments(cancelled as object)) === 1_200,
    );
    expect(writes).toBe(3);
  });

  it("are delivered when it is too late", async () => {
    const busy = createGate();
    const [message] = await insert(1);
    let attempts = 0;
    await startWorker(async (message) => {
      attempts++;
      await busy.opened;
      return ended(message);
    });
    await requestCancel(message);
    await passSeconds(2);
    expect(await read(message)).toBe("queued");
    busy.open();
    await untilDelivered(1);
    expect(attempts).toBe(1);
  });

  it("are not reported as withdrawn when they were delivered while the request was being read", async () => {
    const [message] = await insert(1);
    const asked = { ...(message as MessageDocument), cancelRequestedAt: now() };
    const delivered = createGate();
    const queue: AcrossAccounts["queue"] = {
      ...store.acrossAccounts.queue,
      findCancelRequests: async () => {
        // Found before the delivery, read after it.
        await delivered.opened;
        return { documents: [asked], unreadable: [] };
      },
    };
    const worker = createIdleWorker(async (attempt) => ended(attempt), { queue });
    const started = worker.start();
    await worker.rounds.until(1);
    expect(worker.held()).toHaveLength(PARTITION_COUNT);
    await applyTransitions(store.acrossAccounts, [{ ...ended(asked).transition, epoch: 1 }]);
    delivered.open();
    await started;
    const events = await store.acrossAccounts.events.listOfMessage(asked._id);
    expect(events.map(({ kind }) => kind)).not.toContain("cancelled");
  });
});
