import type { CommandStartedEvent, Document } from "mongodb";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bucketOf, bucketOfNames, newIdInBucket } from "../../src/shared/ids.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { createWriteInOrder } from "../../src/store/write-in-order.ts";
import { bulkOperations } from "../harness/bulk-writes.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { testSealing } from "../harness/sealing.ts";
import { accountId, storeCalls } from "../harness/store-calls.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

/** What a database is sharded by the bucket of. */
const BUCKETED = ["messages", "contents", "events"];

let opened: TestStore;
let store: Store;
let sent: CommandStartedEvent[] = [];
beforeAll(async () => {
  opened = await openTestStore();
  opened.db.client.on("commandStarted", (event) => sent.push(event));
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());
beforeEach(() => {
  sent = [];
});

/** Filters of writes, and documents that are inserted, that name no bucket. */
function unbucketed(): string[] {
  return sent.flatMap((event) => {
    const { commandName, command } = event;
    const operations = bulkOperations(event).filter(({ collection }) => BUCKETED.includes(collection));
    if (!BUCKETED.includes(String(command[commandName])) && operations.length === 0) return [];
    const { documents = [], updates = [], deletes = [] } = command;
    const named: Document[] = [...documents, ...[...updates, ...deletes].map(({ q }) => q)];
    named.push(...operations.map(({ document, filter }) => document ?? filter ?? {}));
    if (commandName === "findAndModify") named.push(command.query);
    return named
      .filter(({ bucket }) => bucket === undefined || bucket === null)
      .map((one) => `${commandName} ${command[commandName]}: ${Object.keys(one)}`);
  });
}

describe("what a database can be sharded by", () => {
  it.each(Object.entries(storeCalls))(
    "%s writes to no bucket but those that it names",
    async (_name, run) => {
      await run(store);
      expect(unbucketed()).toEqual([]);
    },
  );

  it("is missed where a write names none", async () => {
    await opened.db.collection<{ _id: string }>("messages").updateOne({ _id: "msg_1" }, { $set: { a: 1 } });
    await opened.db.collection("events").insertOne({ messageId: "msg_1" });
    const inOrder = createWriteInOrder(opened.db);
    const isSpoken = await inOrder.isSpoken();
    if (isSpoken) {
      await inOrder.write([
        { collection: "events", document: { messageId: "msg_1" } },
        { collection: "messages", filter: { _id: "msg_1" }, update: { $set: { a: 1 } } },
      ]);
    }
    expect(unbucketed()).toHaveLength(isSpoken ? 4 : 2);
  });
});

describe("what an early release stored without buckets", () => {
  const key = "from-before";
  const early = () => queuedMessage(new Date(), { bucket: undefined, idempotencyKey: key, fingerprint: "f" });
  const storeEarly = async () => {
    const { bucket: _, ...message } = early();
    await opened.db.collection<{ _id: string }>("messages").deleteMany({});
    await opened.db.collection<{ _id: string }>("messages").insertOne(message);
    return { ...message, bucket: undefined };
  };

  it("is found by its id, by its key, and with others", async () => {
    const message = await storeEarly();
    const other = queuedMessage(new Date());
    await store.acrossAccounts.messages.insertMany([other]);
    expect((await store.acrossAccounts.messages.findById(message._id))?._id).toBe(message._id);
    const byKey = await store
      .forAccount(message.accountId)
      .messages.findByIdempotencyKey(message.operation, key);
    expect(byKey?._id).toBe(message._id);
    const both = await store.acrossAccounts.messages.findByIds([message._id, other._id, "msg_unknown"]);
    expect(both.map(({ _id }) => _id).toSorted()).toEqual([message._id, other._id].toSorted());
  });

  it("is found by its id when its bucket is the one of its key, which its id does not carry", async () => {
    const bucket = bucketOfNames(accountId, "email.send", key);
    const _id = newIdInBucket("msg", new Date(), bucket ^ 1);
    const message = queuedMessage(new Date(), { _id, accountId, idempotencyKey: key });
    expect(bucketOf(message._id)).not.toBe(bucket);
    await opened.db.collection("messages").deleteMany({});
    await store.acrossAccounts.messages.insertMany([message]);
    expect((await store.acrossAccounts.messages.findById(message._id))?._id).toBe(message._id);
    const byKey = await store.forAccount(accountId).messages.findByIdempotencyKey("email.send", key);
    expect(byKey?._id).toBe(message._id);
    expect(await store.acrossAccounts.queue.claim([{ ...message, epoch: 1 }], new Date())).toEqual(
      new Set([message._id]),
    );
  });

  it("is written to as everything else", async () => {
    const message = await storeEarly();
    expect(await store.acrossAccounts.queue.claim([{ ...message, epoch: 1 }], new Date())).toEqual(
      new Set([message._id]),
    );
    const at = new Date();
    const end = {
      messageId: message._id,
      bucket: message.bucket,
      to: "delivered",
      attempts: 1,
      at,
      epoch: 1,
    } as const;
    expect(await store.acrossAccounts.queue.applyTransitions([end])).toBe(1);
  });

  it("shows its events and gives its content", async () => {
    const id = newIdInBucket("cnt", new Date(), 5);
    const messageId = newIdInBucket("msg", new Date(), 5);
    const { db } = opened;
    await db
      .collection<{ _id: string }>("contents")
      .insertOne({ _id: id, source: Buffer.from("x") } as never);
    await db
      .collection<{ _id: string }>("events")
      .insertOne({ _id: `${messageId}.1.deferred`, messageId } as never);
    await store.acrossAccounts.events.insertMissing([
      {
        _id: `${messageId}.2.delivered`,
        messageId,
        accountId: "acc_1",
        at: new Date(),
        expireAt: new Date(),
      } as never,
    ]);
    expect([...(await store.acrossAccounts.contents.loadMany([id])).keys()]).toEqual([id]);
    expect(await store.acrossAccounts.events.listOfMessage(messageId)).toHaveLength(2);
  });
});
