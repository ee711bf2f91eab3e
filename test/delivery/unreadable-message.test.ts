import { BSON, type Document } from "mongodb";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createQuarantine } from "../../src/delivery/queue/quarantine.ts";
import { createRecordResults } from "../../src/delivery/queue/record-results.ts";
import type { WorkerOptions } from "../../src/delivery/worker-options.ts";
import { createLogger, type Logger } from "../../src/shared/logger.ts";
import type {
  EventDocument,
  MessageDocument,
  QuarantineDocument,
} from "../../src/store/message-documents.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { storeFault } from "../../src/store/store-fault.ts";
import { testAudit } from "../harness/audit.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { damage, invalidUtf8 } from "../harness/raw-documents.ts";
import { testSealing } from "../harness/sealing.ts";
import { createSignal, type Signal } from "../harness/signal.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";
import { createTestTime, type TestTime } from "../harness/test-time.ts";
import { createTestWorker, deliveredResult, passUntil, type TestWorker } from "../harness/test-worker.ts";

const DAY_MS = 24 * 3_600_000;

let opened: TestStore;
let store: Store;
let time: TestTime;
let worker: TestWorker;
let logged: Signal<{ message: string; level: string }>;
let quarantined: number;

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());
beforeEach(async () => {
  time = createTestTime();
  logged = createSignal();
  quarantined = 0;
  for (const name of ["messages", "events", "partitions", "workers", "quarantine"]) {
    await opened.db.collection(name).deleteMany({});
  }
});
afterEach(() => worker.stop(0));

/** Records the level and message of each log line. */
function notingLog(): Logger {
  const log = createLogger("silent");
  const note = (level: string) => (fields: { message?: string }) =>
    logged.tell({ level, message: fields.message ?? "" });
  return Object.assign(Object.create(log), { error: note("error"), warn: note("warn") });
}

async function startWorker(changes: Partial<WorkerOptions> = {}): Promise<void> {
  const log = notingLog();
  const { clock } = time;
  worker = createTestWorker({
    db: opened.db,
    time,
    deliver: async (message) => deliveredResult(message, clock.now()),
    changes: {
      quarantine: createQuarantine({
        store: store.acrossAccounts,
        clock,
        log,
        retentionMs: DAY_MS,
        onQuarantined: () => quarantined++,
      }),
      log,
      concurrency: 100,
      ...changes,
    },
  });
  await worker.start();
}

const until = (isSo: () => boolean) => passUntil(time, () => [worker], isSo);
const untilDelivered = (count: number) => until(() => worker.recorded.seen.length === count);

async function insert(count: number, changes: Partial<MessageDocument> = {}): Promise<string[]> {
  const messages = Array.from({ length: count }, () => queuedMessage(time.clock.now(), changes));
  await store.acrossAccounts.messages.insertMany(messages);
  return messages.map(({ _id }) => _id);
}

const kept = () => opened.db.collection<QuarantineDocument>("quarantine").find().sort({ _id: 1 }).toArray();
const eventsOf = (messageId: string) =>
  opened.db.collection<EventDocument>("events").find({ messageId }).sort({ at: 1 }).toArray();

/** An edit that sets fields to values that the code never writes. */
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

it("quarantines a message if the store refuses its result, and delivers the others", async () => {
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
  await logged.until(1);
  await insert(30);
  await untilDelivered(31);
  expect(logged.seen).toEqual([{ level: "error", message: damaged }]);
  expect(await kept()).toMatchObject([
    { _id: damaged, reason: expect.stringMatching(/^an attempt ended as delivered, and/) },
  ]);
  expect(quarantined).toBe(1);
});

describe("an unreadable waiting message", () => {
  it.each(Object.entries({ ...damages, ...ofFiles }))(
    "for %s, is quarantined and logged; the others are sent",
    async (_, [edit, reason]) => {
      const ids = await insert(300, { metadata: { key: "value" } });
      const damaged = ids[150] ?? "";
      await damage(opened.db, "messages", damaged, edit);
      await startWorker();
      await untilDelivered(299);
      await until(() => quarantined > 0);
      expect(await kept()).toMatchObject([
        { _id: damaged, accountId: "acc_test", reason: expect.stringMatching(reason), at: expect.any(Date) },
      ]);
      expect(await eventsOf(damaged)).toMatchObject([
        {
          kind: "quarantined",
          accountId: "acc_test",
          attempt: 0,
          detail: expect.stringMatching(/^the stored message is damaged: /),
        },
      ]);
      expect(logged.seen).toEqual([{ level: "error", message: damaged }]);
      expect(quarantined).toBe(1);
      const waiting = { nextAttemptAt: { $exists: true } };
      expect(await opened.db.collection("messages").countDocuments(waiting)).toBe(0);
      // Taken out of the queue, not made readable: what it said is not known.
      await store.acrossAccounts.quarantine.release(
        (await kept())[0] as QuarantineDocument,
        time.clock.now(),
        testAudit,
      );
      await until(() => quarantined > 1);
      expect(await kept()).toMatchObject([{ _id: damaged, reason: expect.stringMatching(reason) }]);
      expect((await eventsOf(damaged)).map(({ kind }) => kind)).toEqual(["quarantined", "quarantined"]);
      expect(await store.acrossAccounts.quarantine.count()).toBe(1);
    },
  );
});
