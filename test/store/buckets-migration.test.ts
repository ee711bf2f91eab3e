import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bucketOf, bucketOfNames } from "../../src/shared/ids.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { createIndexes } from "../../src/store/indexes.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { bucketsMigration } from "../../src/store/migrations/2-buckets.ts";
import type { MigrationStep } from "../../src/store/migrations/migration.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { damage, invalidUtf8 } from "../harness/raw-documents.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const KEYED = { accountId: "acc_test", operation: "email.send", idempotencyKey: "k", fingerprint: "f" };
const ALL = 700;

let opened: TestStore;
let store: Store;
beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());

type Early = Omit<MessageDocument, "bucket">;
const messages = () => opened.db.collection<Early & { bucket?: number }>("messages");
const indexNames = async () => (await messages().indexes()).map(({ name }) => name);

/** A document of 0.1. */
function early(changes: Partial<MessageDocument> = {}): Early {
  const { bucket: _, ...message } = queuedMessage(new Date(), changes);
  return message;
}

/** Runs the migration, and ends it after `stopAfter` saves of its progress. */
async function migrate(saved: MigrationStep[], stopAfter = Number.POSITIVE_INFINITY): Promise<void> {
  const ended = new AbortController();
  let { cursor, done } = saved.at(-1) ?? { cursor: undefined, done: 0 };
  await bucketsMigration.run({
    db: opened.db,
    log: createLogger("silent"),
    signal: ended.signal,
    progress: {
      get cursor() {
        return cursor;
      },
      get done() {
        return done;
      },
      save: async (step) => {
        saved.push(step);
        ({ cursor, done } = step);
        if (saved.length >= stopAfter) ended.abort();
      },
    },
  });
}

describe("data of 0.1", () => {
  let keyed: Early;
  let plain: Early[];
  beforeEach(async () => {
    for (const name of ["messages", "contents", "events"]) await opened.db.collection(name).deleteMany({});
    await messages().createIndex(
      { accountId: 1, operation: 1, idempotencyKey: 1 },
      { name: "idempotency", unique: true, partialFilterExpression: { idempotencyKey: { $exists: true } } },
    );
    keyed = early(KEYED);
    plain = Array.from({ length: ALL }, () => early());
    await messages().insertMany([keyed, ...plain]);
    const [{ _id: messageId, contentId }] = plain as [Early];
    await opened.db.collection<{ _id: string }>("contents").insertOne({ _id: contentId });
    await opened.db
      .collection<{ _id: string; messageId: string }>("events")
      .insertOne({ _id: `${messageId}.1.deferred`, messageId });
  });

  it("gets the bucket of its id, or of its idempotency key", async () => {
    const saved: MigrationStep[] = [];
    await migrate(saved);
    expect((await store.acrossAccounts.messages.findById(keyed._id))?.bucket).toBe(
      bucketOfNames(KEYED.accountId, KEYED.operation, KEYED.idempotencyKey),
    );
    const stored = await messages()
      .find({ idempotencyKey: { $exists: false } })
      .toArray();
    expect(stored).toHaveLength(ALL);
    for (const { _id, bucket } of stored) expect(bucket).toBe(bucketOf(_id));
    for (const name of ["contents", "events"]) {
      const [document] = await opened.db.collection<{ _id: string; bucket?: number }>(name).find().toArray();
      expect(document?.bucket).toBe(bucketOf(String(document?._id).split(".")[0] ?? ""));
    }
    expect(saved.at(-1)).toMatchObject({ done: ALL + 3, total: ALL + 3 });
  });

  it("keeps its idempotency key unique before, during and after the migration", async () => {
    await createIndexes(opened.db);
    const retry = () => store.acrossAccounts.messages.insertMany([queuedMessage(new Date(), KEYED)]);
    expect(await retry()).toEqual(["taken"]);
    await expect(migrate([], 1)).rejects.toThrow();
    expect(await retry()).toEqual(["taken"]);
    await migrate([]);
    expect(await indexNames()).not.toContain("idempotency");
    expect(await retry()).toEqual(["taken"]);
    const { accountId, operation, idempotencyKey } = KEYED;
    const found = await store.forAccount(accountId).messages.findByIdempotencyKey(operation, idempotencyKey);
    expect(found?._id).toBe(keyed._id);
  });

  it("is migrated from the saved progress after an end of the process, and unchanged by a second run", async () => {
    const saved: MigrationStep[] = [];
    await expect(migrate(saved, 1)).rejects.toThrow();
    const missing = () => messages().countDocuments({ bucket: { $exists: false } });
    expect(await missing()).toBe(ALL + 1 - 500);
    await migrate(saved);
    expect(await missing()).toBe(0);
    expect(saved.at(-1)?.done).toBe(ALL + 3);
    const before = await messages().find().sort({ _id: 1 }).toArray();
    await migrate([]);
    expect(await messages().find().sort({ _id: 1 }).toArray()).toEqual(before);
  });

  it("does not delay others if it is damaged", async () => {
    const damaged = plain[7]?._id ?? "";
    await damage(opened.db, "messages", damaged, invalidUtf8("Hello"));
    await migrate([]);
    expect(await messages().countDocuments({ bucket: { $exists: false } })).toBe(0);
  });
});
