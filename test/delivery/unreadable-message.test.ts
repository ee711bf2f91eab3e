import { BSON, type Document } from "mongodb";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createQuarantine } from "../../src/delivery/queue/quarantine.ts";
import { createRecordResults } from "../../src/delivery/queue/record-results.ts";
import { createWithdraw } from "../../src/delivery/queue/withdraw.ts";
import { createDestinationLimits } from "../../src/delivery/routing/destination-limits.ts";
import { createWorker, type Worker, type WorkerOptions } from "../../src/delivery/worker.ts";
import { createPartitions } from "../../src/leases/partitions.ts";
import { systemClock as clock } from "../../src/shared/clock.ts";
import { createLogger, type Logger } from "../../src/shared/logger.ts";
import type { EventDocument, MessageDocument, QuarantineDocument } from "../../src/store/documents.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { storeFault } from "../../src/store/store-fault.ts";
import { PARTITION_COUNT, queuedMessage } from "../harness/queued-message.ts";
import { damage, invalidUtf8 } from "../harness/raw-documents.ts";
import { testSealing } from "../harness/sealing.ts";
import { eventually } from "../harness/start-hermod.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const DAY_MS = 24 * 3_600_000;

let opened: TestStore;
let store: Store;
let worker: Worker | undefined;
let logged: { message: string; level: string }[];
let quarantined = 0;

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());
beforeEach(async () => {
  logged = [];
  quarantined = 0;
  for (const name of ["messages", "events", "partitions", "workers", "quarantine"]) {
    await opened.db.collection(name).deleteMany({});
  }
});
afterEach(async () => worker?.stop(0));

/** Notes what is said of which message. */
function notingLog(): Logger {
  const log = createLogger("silent");
  const note = (level: string) => (fields: { message?: string }) =>
    void logged.push({ level, message: fields.message ?? "" });
  return Object.assign(Object.create(log), { error: note("error"), warn: note("warn") });
}

async function startWorker(changes: Partial<WorkerOptions> = {}): Promise<void> {
  const log = notingLog();
  const retentionMs = DAY_MS;
  const limits = createDestinationLimits();
  const destination = limits.at("all", { concurrency: 100, perMinute: undefined });
  worker = createWorker({
    queue: store.queue,
    loadBodies: store.contents.loadMany,
    partitions: (deliveries) =>
      createPartitions({
        store: store.partitions,
        workerId: "wrk_1",
        partitionCount: PARTITION_COUNT,
        deliveries,
        clock,
        log,
      }),
    destinations: { peek: () => destination, of: async () => destination, shares: limits.shares },
    deliver: async ({ _id: messageId, bucket, accountId, traceId, attempts: before }) => {
      const [attempts, at, to] = [before + 1, new Date(), "delivered" as const];
      const expireAt = new Date(at.getTime() + DAY_MS);
      const _id = `${messageId}.${attempts}.${to}`;
      return {
        event: { _id, messageId, accountId, traceId, kind: to, attempt: attempts, at, expireAt },
        transition: { messageId, bucket, to, attempts, at, expireAt },
        feedback: "accepted",
      };
    },
    abandonAttempts: () => undefined,
    results: createRecordResults({ store, storeNotices: async () => undefined }),
    withdraw: createWithdraw({ store, clock, retentionMs }),
    quarantine: createQuarantine({ store, clock, log, retentionMs, onQuarantined: () => quarantined++ }),
    clock,
    log,
    concurrency: 100,
    onAttempt: () => undefined,
    onUnderWay: () => undefined,
    ...changes,
  });
  await worker.start();
}

async function insert(count: number, changes: Partial<MessageDocument> = {}): Promise<string[]> {
  const messages = Array.from({ length: count }, () => queuedMessage(new Date(), changes));
  await store.messages.insertMany(messages);
  return messages.map(({ _id }) => _id);
}

const untilDelivered = (count: number) =>
  eventually(async () => {
    const done = await opened.db.collection("messages").countDocuments({ state: "delivered" });
    return done === count || undefined;
  });
const kept = () => opened.db.collection<QuarantineDocument>("quarantine").find().sort({ _id: 1 }).toArray();
const eventsOf = (messageId: string) =>
  opened.db.collection<EventDocument>("events").find({ messageId }).sort({ at: 1 }).toArray();

/** An edit that changes fields to what the code never writes there. */
const changed = (fields: Document) => (bytes: Buffer) =>
  Buffer.from(BSON.serialize({ ...BSON.deserialize(bytes), ...fields }));

const damages: Readonly<Record<string, [edit: (bytes: Buffer) => Buffer | undefined, reason: RegExp]>> = {
  "a text that is not UTF-8": [invalidUtf8("Hello"), /^subject: Invalid UTF-8/],
  "a recipient that is not UTF-8": [invalidUtf8("bob@"), /^recipient: Invalid UTF-8/],
  "a recipient that is a number": [changed({ recipient: 7 }), /^recipient: it is of the type number$/],
  "an array where a time is": [changed({ createdAt: [new Date(0)] }), /^createdAt: it is an array$/],
  "a state that there is not": [changed({ state: "lost" }), /^state: it is not one of its values$/],
};

/** A MongoDB server refuses to store it (and stores texts that are not UTF-8 without a word): its files alone can have it. */
const ofFiles: typeof damages = process.env.MONGODB_URL
  ? {}
  : {
      "metadata that end too early": [
        (bytes) => {
          bytes.writeInt32LE(99, bytes.indexOf("key\0") + 4);
          return undefined;
        },
        /^metadata: /,
      ],
    };

it("an end that can never be recorded is given up: the others leave", async () => {
  const [damaged] = await insert(1);
  const results = createRecordResults({ store, storeNotices: async () => undefined });
  await startWorker({
    results: {
      record: async (result) => {
        if (result.transition.messageId === damaged)
          throw storeFault(new BSON.BSONError("bad string length"));
        return results.record(result);
      },
    },
  });
  await eventually(async () => logged.length > 0 || undefined);
  await insert(30);
  await untilDelivered(30);
  expect(logged).toEqual([{ level: "error", message: damaged }]);
});

describe("a waiting message that cannot be read", () => {
  it.each(Object.entries({ ...damages, ...ofFiles }))(
    "for %s, is kept aside and named; the others leave",
    async (_, [edit, reason]) => {
      const ids = await insert(300, { metadata: { key: "value" } });
      const damaged = ids[150] ?? "";
      await damage(opened.db, "messages", damaged, edit);
      await startWorker();
      await untilDelivered(299);
      await eventually(async () => (quarantined > 0 ? true : undefined));
      expect(await kept()).toMatchObject([
        { _id: damaged, accountId: "acc_test", reason: expect.stringMatching(reason), at: expect.any(Date) },
      ]);
      expect(await eventsOf(damaged)).toMatchObject([
        {
          kind: "quarantined",
          accountId: "acc_test",
          attempt: 0,
          detail: expect.stringMatching(/cannot be read/),
        },
      ]);
      expect(logged).toEqual([{ level: "error", message: damaged }]);
      expect(quarantined).toBe(1);
      const waiting = { nextAttemptAt: { $exists: true } };
      expect(await opened.db.collection("messages").countDocuments(waiting)).toBe(0);
      // Taken out of the queue, not made readable: what it said is not known.
      await store.quarantine.release((await kept())[0] as QuarantineDocument, new Date());
      await eventually(async () => (quarantined > 1 ? true : undefined));
      expect(await kept()).toMatchObject([{ _id: damaged, reason: expect.stringMatching(reason) }]);
      expect((await eventsOf(damaged)).map(({ kind }) => kind)).toEqual(["quarantined", "quarantined"]);
      expect(await store.quarantine.count()).toBe(1);
    },
  );
});
