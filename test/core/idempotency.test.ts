import { afterAll, beforeAll, expect, it } from "vitest";
import { createIdempotency, type IdempotentRequest } from "../../src/core/send/idempotency.ts";
import { createIntake } from "../../src/core/send/intake.ts";
import { storeOnce } from "../../src/core/send/store-once.ts";
import { fault } from "../../src/shared/fault.ts";
import { type AcrossAccounts, createStore, type Store } from "../../src/store/store.ts";
import { messageDocument } from "../harness/message-document.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

let opened: TestStore;
let store: Store;

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());

/** Idempotency keys with a clock that the test moves. */
function idempotencyAt(start: Date) {
  let nowMs = 0;
  const clock = { now: () => start, monotonicMs: () => nowMs };
  const idempotency = createIdempotency({ store, clock, retentionMs: 1_000 });
  return {
    idempotency,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

const use = (key: string): IdempotentRequest => ({
  apiKey: { accountId: "acc", senders: [] },
  operation: "email.send",
  key,
  fingerprint: "f",
});

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

it("frees a key as soon as its request is dropped, for any duration of other requests", async () => {
  const [begun, written] = [gate(), gate()];
  const { messages } = store.acrossAccounts;
  const insertWithBodies: AcrossAccounts["messages"]["insertWithBodies"] = async (...asked) => {
    begun.open();
    await written.opened;
    return messages.insertWithBodies(...asked);
  };
  const intake = createIntake({
    store: { ...store.acrossAccounts, messages: { ...messages, insertWithBodies } },
    onStored: () => undefined,
    onError: () => undefined,
  });
  const submission = (name: string) => {
    const message = messageDocument({ _id: `msg_${name}`, contentId: `cnt_${name}`, traceId: `sx_${name}` });
    const dates = { createdAt: new Date(), expireAt: new Date(Date.now() + 86_400_000) };
    const body = { kind: "raw" as const, source: Buffer.alloc(100_000) };
    return {
      message,
      content: { id: message.contentId, accountId: "acc", body, sizeBytes: body.source.length, ...dates },
    };
  };
  const { idempotency } = idempotencyAt(new Date());
  const before = intake.store(submission("before"));
  await begun.opened;
  const gone = new AbortController();
  const dropped = idempotency.exclusively(use("k"), () =>
    intake.store({ ...submission("late"), signal: gone.signal }),
  );
  await expect(idempotency.exclusively(use("k"), async () => "stored")).rejects.toMatchObject({
    code: "idempotency.in_flight",
  });
  gone.abort(fault("core.timeout"));
  await expect(dropped).rejects.toMatchObject({ code: "core.timeout" });
  expect(await idempotency.exclusively(use("k"), async () => "again")).toBe("again");
  written.open();
  expect(await before).toBe("stored");
  expect((await store.forAccount("acc").messages.list({ limit: 10 })).messages).not.toContainEqual(
    expect.objectContaining({ _id: "msg_late" }),
  );
});

it("answers a replay with one read, although nothing can be written", async () => {
  const createdAt = new Date();
  const keyed = { operation: "email.send", idempotencyKey: "done", fingerprint: "f", createdAt };
  const message = messageDocument({
    _id: "msg_done",
    accountId: "acc",
    contentId: "cnt_done",
    traceId: "sx_done",
    ...keyed,
  });
  const body = { kind: "raw" as const, source: Buffer.from("x") };
  const dates = { createdAt, expireAt: new Date(createdAt.getTime() + 86_400_000) };
  const content = { id: "cnt_done", accountId: "acc", body, sizeBytes: 1, ...dates };
  const intake = createIntake({
    store: store.acrossAccounts,
    onStored: () => undefined,
    onError: () => undefined,
  });
  expect(await intake.store({ message, content })).toBe("stored");
  const { idempotency } = idempotencyAt(createdAt);
  let writes = 0;
  const outcome = await storeOnce({
    isKeyed: true,
    store: () => {
      writes++;
      return Promise.reject(fault("store.unavailable"));
    },
    findEarlier: () => idempotency.findEarlier(use("done")),
  });
  expect([outcome, writes]).toEqual([{ earlier: expect.objectContaining({ _id: "msg_done" }) }, 0]);
});

it("returns the time to retry a key in flight, based on the duration of requests", async () => {
  const { idempotency, pass } = idempotencyAt(new Date());
  const retryAfter = async () =>
    idempotency.exclusively(use("k"), async () => 0).catch((refused) => refused.retryAfterSeconds);
  const quick = gate();
  const first = idempotency.exclusively(use("k"), () => quick.opened);
  expect(await retryAfter()).toBe(1);
  quick.open();
  await first;
  for (let n = 0; n < 30; n++) await idempotency.exclusively(use(`slow-${n}`), async () => pass(10_000));
  const slow = gate();
  const second = idempotency.exclusively(use("k"), () => slow.opened);
  expect(await retryAfter()).toBe(10);
  pass(6_500);
  expect(await retryAfter()).toBe(4);
  pass(60_000);
  expect(await retryAfter()).toBe(1);
  slow.open();
  await second;
  expect(await retryAfter()).toBe(0);
});
