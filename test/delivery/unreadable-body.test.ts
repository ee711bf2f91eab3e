import { Binary } from "mongodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDeliver, type DeliverOptions } from "../../src/delivery/deliver.ts";
import { createCheckSuppression } from "../../src/delivery/queue/check-suppression.ts";
import { createLoadBody } from "../../src/delivery/queue/load-body.ts";
import { systemClock as clock } from "../../src/shared/clock.ts";
import { fault } from "../../src/shared/fault.ts";
import type { ChunkDocument, ContentDocument, MessageDocument } from "../../src/store/message-documents.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const HOUR_MS = 3_600_000;
const now = new Date();
const expireAt = new Date(now.getTime() + 48 * HOUR_MS);

let opened: TestStore;
let store: Store;
beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());

function deliverWith(options: Partial<DeliverOptions> = {}) {
  return createDeliver({
    checkSuppression: createCheckSuppression({ suppressions: store.acrossAccounts.suppressions, clock }),
    suppressionMs: undefined,
    loadBody: createLoadBody({ contents: store.acrossAccounts.contents }),
    findPolicy: async (accountId, name) => ({
      _id: "p",
      accountId,
      name,
      default: true,
      storedBy: "operator",
      transports: [{ kind: "sandbox" }],
      updatedAt: now,
    }),
    findSigners: async () => [],
    returnPathOf: (message) => message.from,
    unsubscribeUrl: undefined,
    trackHtml: undefined,
    transportFor: () => ({
      deliver: async () => ({ kind: "delivered", reply: { via: "test", detail: "250 ok" } }),
      close: () => undefined,
    }),
    clock,
    maxAgeMs: 48 * HOUR_MS,
    maxHops: 100,
    retentionMs: HOUR_MS,
    ...options,
  });
}

/** A message with a body in seven chunks; the third is missing. */
async function storeInChunks(): Promise<MessageDocument> {
  const message = queuedMessage(now);
  const { contentId: id, accountId } = message;
  const body = { kind: "uploaded", chunkCount: 7 } as const;
  await store.acrossAccounts.contents.insertMany([
    { id, accountId, body, sizeBytes: 700, createdAt: now, expireAt },
  ]);
  const data = new Binary(Buffer.alloc(100, "x"));
  const chunks = [0, 1, 3, 4, 5, 6].map((n) => ({ _id: `${id}.${n}`, data, expireAt }));
  await opened.db.collection<ChunkDocument>("chunks").insertMany(chunks);
  return message;
}

async function storePlain(): Promise<MessageDocument> {
  const message = queuedMessage(now);
  const source = Buffer.from("Subject: x\r\n\r\nHello.\r\n");
  const { contentId: id, accountId } = message;
  const body = { kind: "raw", source } as const;
  await store.acrossAccounts.contents.insertMany([
    { id, accountId, body, sizeBytes: source.length, createdAt: now, expireAt },
  ]);
  return message;
}

/** A message with a body that cannot be composed. */
async function storeNonsense(): Promise<MessageDocument> {
  const message = queuedMessage(now);
  const { contentId: _id, accountId } = message;
  const content = { text: 1, attachments: "none" } as unknown as NonNullable<ContentDocument["content"]>;
  await opened.db
    .collection<ContentDocument>("contents")
    .insertOne({ _id, accountId, content, createdAt: now, expireAt });
  return message;
}

describe("an unreadable body", () => {
  it("ends its own message, with the reason, and no other one that is read together with it", async () => {
    const [broken, nonsense, whole] = [await storeInChunks(), await storeNonsense(), await storePlain()];
    const deliver = deliverWith();
    const results = await Promise.all([broken, nonsense, whole].map((message) => deliver(message)));
    expect(results.map(({ transition: { to, attempts } }) => [to, attempts])).toEqual([
      ["failed", 1],
      ["failed", 1],
      ["delivered", 1],
    ]);
    expect(results[0]?.event.detail).toBe("the body cannot be read: chunk 3 of 7 is missing");
    expect(results[1]?.event.detail).toMatch(/^the body cannot be read: it cannot be decoded \(TypeError/);
  });
});

describe("an attempt that fails unexpectedly", () => {
  it("is counted and deferred: it is not repeated at once, forever", async () => {
    const message = await storePlain();
    const deliver = deliverWith({ findSigners: () => Promise.reject(new TypeError("no such thing")) });
    const { transition, event } = await deliver(message);
    expect(transition).toMatchObject({ to: "deferred", attempts: 1, nextAttemptAt: expect.any(Date) });
    expect(event.detail).toBe("the attempt broke off: TypeError: no such thing");
    const old = new Date(now.getTime() - 49 * HOUR_MS);
    expect((await deliver({ ...message, createdAt: old })).transition.to).toBe("expired");
  });

  it("is not counted while the store is unavailable", async () => {
    const message = await storePlain();
    const deliver = deliverWith({ findSigners: () => Promise.reject(fault("store.unavailable")) });
    await expect(deliver(message)).rejects.toMatchObject({ code: "store.unavailable" });
  });
});

describe("the last attempt", () => {
  const unreachable = {
    deliver: async () => ({
      kind: "unreachable" as const,
      reply: { via: "test", detail: "no answer", retryAfterSeconds: 10 * 24 * 3600 },
    }),
    close: () => undefined,
  };

  it("is made when the maximum age is reached, even if the server requests a longer wait", async () => {
    const message = await storePlain();
    const createdAt = new Date(now.getTime() - 43 * HOUR_MS);
    const deliver = deliverWith({ transportFor: () => unreachable });
    const { transition } = await deliver({ ...message, createdAt, attempts: 9 });
    expect(transition.nextAttemptAt).toEqual(new Date(createdAt.getTime() + 48 * HOUR_MS));
  });

  it("happens while the body exists, for any age of a policy", async () => {
    const message = await storePlain();
    const createdAt = new Date(now.getTime() - 20 * HOUR_MS);
    const deliver = deliverWith({ transportFor: () => unreachable, longestAgeMs: 23 * HOUR_MS });
    const { transition } = await deliver({ ...message, createdAt, attempts: 9 });
    expect(transition.nextAttemptAt).toEqual(new Date(createdAt.getTime() + 23 * HOUR_MS));
  });
});
