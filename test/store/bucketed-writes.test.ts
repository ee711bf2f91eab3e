import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bucketOf, bucketOfNames, newIdInBucket } from "../../src/shared/ids.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { applyTransitions } from "../harness/apply-transitions.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { testSealing } from "../harness/sealing.ts";
import { accountId } from "../harness/store-calls.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

let opened: TestStore;
let store: Store;
beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());

describe("data of an early release without buckets", () => {
  const key = "from-before";
  const early = () => queuedMessage(new Date(), { bucket: undefined, idempotencyKey: key, fingerprint: "f" });
  const storeEarly = async () => {
    const { bucket: _, ...message } = early();
    await opened.db.collection<{ _id: string }>("messages").deleteMany({});
    await opened.db.collection<{ _id: string }>("messages").insertOne(message);
    return { ...message, bucket: undefined };
  };

  it("is found by its id, by its key, and together with others", async () => {
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

  it("is found by its id if its bucket is that of its key, which its id does not contain", async () => {
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

  it("can be written like other data", async () => {
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
    expect(await applyTransitions(store.acrossAccounts, [end])).toBe(1);
  });

  it("has its events and its content", async () => {
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
