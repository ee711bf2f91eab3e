import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createIntake, type IntakeOptions } from "../../src/core/send/intake.ts";
import { fault } from "../../src/shared/fault.ts";
import type { NewContent } from "../../src/store/content-store.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { type AcrossAccounts, createStore, type Store } from "../../src/store/store.ts";
import { messageDocument } from "../harness/message-document.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const CHUNK_BYTES = 1024 * 1024;
const LARGE_BYTES = 3 * CHUNK_BYTES;
const DAY_MS = 24 * 3_600_000;

let opened: TestStore;
let store: Store;

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());
beforeEach(async () => {
  const names = ["messages", "contents", "chunks"];
  await Promise.all(names.map((name) => opened.db.collection(name).deleteMany({})));
});

const count = (name: string) => opened.db.collection(name).countDocuments();

const contentOf = ({ contentId, accountId }: MessageDocument, sizeBytes = 3): NewContent => ({
  id: contentId,
  accountId,
  body: { kind: "raw", source: sizeBytes > 1000 ? randomBytes(sizeBytes) : Buffer.from("abc") },
  sizeBytes,
  createdAt: new Date(),
  expireAt: new Date(Date.now() + DAY_MS),
});

function message(name: string, changes: Partial<MessageDocument> = {}): MessageDocument {
  return messageDocument({ _id: `msg_${name}`, contentId: `cnt_${name}`, traceId: `sx_${name}`, ...changes });
}

const submission = (name: string, changes: Partial<MessageDocument> = {}, sizeBytes?: number) => {
  const document = message(name, changes);
  return { content: contentOf(document, sizeBytes), message: document };
};

const once = { operation: "email.send", idempotencyKey: "once", fingerprint: "f" };

/** An intake, its notifications, and a store that removes bodies as the test decides. */
function intakeWith(remove: AcrossAccounts["contents"]["remove"], changes: Partial<IntakeOptions> = {}) {
  const told: string[] = [];
  const troubles: unknown[] = [];
  const intake = createIntake({
    store: { ...store.acrossAccounts, contents: { ...store.acrossAccounts.contents, remove } },
    onStored: (stored) => void told.push(stored.message._id),
    onError: (error) => void troubles.push(error),
    ...changes,
  });
  return { intake, told, troubles };
}

const failover = async () => {
  throw fault("store.unavailable");
};

describe("a duplicate with a body that cannot be removed", () => {
  it("refuses none of the messages that were stored with it", async () => {
    await store.acrossAccounts.messages.insertMany([message("earlier", once)]);
    const { intake, told, troubles } = intakeWith(failover);
    const outcomes = await Promise.all([
      intake.store(submission("a")),
      intake.store(submission("b", once)),
      intake.store(submission("c")),
    ]);
    expect(outcomes).toEqual(["stored", "taken", "stored"]);
    await intake.idle();
    expect(told).toEqual(["msg_a", "msg_c"]);
    expect(troubles).toMatchObject([{ code: "store.unavailable" }]);
  });

  it("is reported as a duplicate if it is for several recipients", async () => {
    await store.acrossAccounts.messages.insertMany([message("earlier", once)]);
    const { intake, troubles } = intakeWith(failover);
    const first = message("a", once);
    const messages = [first, message("b", { contentId: first.contentId })];
    expect(await intake.storeTogether({ content: contentOf(first), messages })).toBe("taken");
    await intake.idle();
    expect(troubles).toHaveLength(1);
  });

  it("delays nothing but the end of the process", async () => {
    await store.acrossAccounts.messages.insertMany([message("earlier", once)]);
    let removed = () => {};
    const removal = new Promise<void>((resolve) => {
      removed = resolve;
    });
    const { intake } = intakeWith(() => removal);
    const outcomes = await Promise.all([intake.store(submission("a")), intake.store(submission("b", once))]);
    expect(outcomes).toEqual(["stored", "taken"]);
    let ended = false;
    const idle = intake.idle().then(() => {
      ended = true;
    });
    await new Promise(setImmediate);
    expect(ended).toBe(false);
    removed();
    await idle;
  });

  it("expires with its stored parts", async () => {
    await store.acrossAccounts.messages.insertMany([message("earlier", once)]);
    const { intake } = intakeWith(failover);
    const large = submission("b", once, LARGE_BYTES);
    await intake.store(large);
    await intake.idle();
    const left = [...(await all("contents")), ...(await all("chunks"))];
    expect(left).toHaveLength(1 + LARGE_BYTES / CHUNK_BYTES);
    expect(left.every(({ expireAt }) => Number(expireAt) === Number(large.content.expireAt))).toBe(true);
    for (const name of ["contents", "chunks"]) {
      expect(await opened.db.collection(name).indexes()).toContainEqual(
        expect.objectContaining({ key: { expireAt: 1 }, expireAfterSeconds: 0 }),
      );
    }
  });
});

const all = (name: string) => opened.db.collection(name).find().toArray();

it("leaves nothing of a duplicate, for any size", async () => {
  await store.acrossAccounts.messages.insertMany([message("earlier", once)]);
  const { intake, troubles } = intakeWith(store.acrossAccounts.contents.remove);
  expect(await intake.store(submission("b", once, LARGE_BYTES))).toBe("taken");
  await intake.idle();
  expect([await count("contents"), await count("chunks"), troubles.length]).toEqual([0, 0, 0]);
});

it("refuses no message because of a failing listener", async () => {
  const { intake, troubles } = intakeWith(store.acrossAccounts.contents.remove, {
    onStored: () => {
      throw new Error("the worker is ending");
    },
  });
  const first = message("b");
  const together = { content: contentOf(first), messages: [first, message("c", { contentId: "cnt_b" })] };
  expect(await Promise.all([intake.store(submission("a")), intake.storeTogether(together)])).toEqual([
    "stored",
    "stored",
  ]);
  expect(await count("messages")).toBe(3);
  expect(troubles).toHaveLength(3);
});

it("refuses a message that the store cannot accept, and none of the others", async () => {
  const { intake, told } = intakeWith(store.acrossAccounts.contents.remove);
  // Two lists in one key, which no index accepts.
  const two = ["one", "another"] as unknown as string;
  const impossible = { ...message("b"), operation: two, idempotencyKey: two };
  const outcomes = await Promise.allSettled([
    intake.store(submission("a")),
    intake.store({ content: contentOf(message("b")), message: impossible }),
    intake.store(submission("c")),
  ]);
  expect(outcomes).toMatchObject([
    { value: "stored" },
    { reason: { code: "store.unavailable" } },
    { value: "stored" },
  ]);
  expect(told).toEqual(["msg_a", "msg_c"]);
});

it("stores nothing for a caller that disconnected while it waited, and everything of the others", async () => {
  const { intake, told } = intakeWith(store.acrossAccounts.contents.remove);
  const gone = new AbortController();
  const stored = intake.store(submission("stays"));
  const left = intake.store({ ...submission("leaves"), signal: gone.signal });
  gone.abort(fault("core.timeout"));
  await expect(left).rejects.toMatchObject({ code: "core.timeout" });
  expect(await stored).toBe("stored");
  expect(told).toEqual(["msg_stays"]);
  expect([await count("messages"), await count("contents")]).toEqual([1, 1]);
});

/** Signals of callers that disconnect while the store writes their bodies. */
function leavingWhileWritten() {
  const gone = new AbortController();
  const insertMany: AcrossAccounts["contents"]["insertMany"] = async (items) => {
    await store.acrossAccounts.contents.insertMany(items);
    gone.abort(fault("core.timeout"));
  };
  const parts = intakeWith(store.acrossAccounts.contents.remove, {
    store: { ...store.acrossAccounts, contents: { ...store.acrossAccounts.contents, insertMany } },
  });
  return { ...parts, signal: gone.signal };
}

it("stores no message for a caller that disconnected while its large body was written, and removes the body", async () => {
  const { intake, told, signal } = leavingWhileWritten();
  const outcomes = await Promise.allSettled([
    intake.store({ ...submission("leaves", {}, LARGE_BYTES), signal }),
    intake.store({ ...submission("leaves_too", {}, LARGE_BYTES), signal }),
    intake.store(submission("stays")),
  ]);
  expect(outcomes).toMatchObject([
    { reason: { code: "core.timeout" } },
    { reason: { code: "core.timeout" } },
    { value: "stored" },
  ]);
  await intake.idle();
  expect(told).toEqual(["msg_stays"]);
  expect([await count("messages"), await count("contents"), await count("chunks")]).toEqual([1, 1, 0]);
});

it("stores none of several messages for a caller that disconnected while their body was written", async () => {
  const { intake, told, signal } = leavingWhileWritten();
  const first = message("a");
  const messages = [first, message("b", { contentId: first.contentId })];
  const left = intake.storeTogether({ content: contentOf(first, LARGE_BYTES), messages, signal });
  await expect(left).rejects.toMatchObject({ code: "core.timeout" });
  await intake.idle();
  expect(told).toEqual([]);
  expect([await count("messages"), await count("contents"), await count("chunks")]).toEqual([0, 0, 0]);
});

it("does not keep a disconnected caller until earlier work has ended", async () => {
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let begun = () => {};
  const started = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const insertMany: AcrossAccounts["contents"]["insertMany"] = async (items) => {
    begun();
    await gate;
    await store.acrossAccounts.contents.insertMany(items);
  };
  const { intake } = intakeWith(store.acrossAccounts.contents.remove, {
    store: { ...store.acrossAccounts, contents: { ...store.acrossAccounts.contents, insertMany } },
  });
  const first = intake.store(submission("first", {}, LARGE_BYTES));
  await started;
  const gone = new AbortController();
  const left = intake.store({ ...submission("leaves", {}, LARGE_BYTES), signal: gone.signal });
  gone.abort(fault("core.timeout"));
  await expect(left).rejects.toMatchObject({ code: "core.timeout" });
  letGo();
  expect(await first).toBe("stored");
  expect(await count("messages")).toBe(1);
});
