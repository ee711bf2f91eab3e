import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CancelMessageRequestSchema } from "../../gen/hermod/message/v1/message_service_pb.ts";
import { createCancelMessage } from "../../src/core/messages.ts";
import { cancelledEvent } from "../../src/events/message-event.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { messageStates } from "../../src/shared/message-state.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { applyTransitions } from "../harness/apply-transitions.ts";
import { OPERATOR, testAudit } from "../harness/audit.ts";
import { messageDocument } from "../harness/message-document.ts";
import { testSealing } from "../harness/sealing.ts";
import { createSignal, type Signal } from "../harness/signal.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let opened: TestStore;
let store: Store;
/** Cancellations that were requested from a message's owner. */
let requested: Signal<void>;

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());
beforeEach(async () => {
  requested = createSignal();
  await Promise.all(["messages", "events"].map((name) => opened.db.collection(name).deleteMany({})));
});

const later = () => new Date(Date.now() + HOUR_MS);

async function stored(changes: Partial<MessageDocument>): Promise<MessageDocument> {
  const message = messageDocument(changes);
  await store.acrossAccounts.messages.insertMany([message]);
  return message;
}

function cancel(id: string, { accountId = "", waitMs = 10_000, signal = new AbortController().signal } = {}) {
  const forAccount: Store["forAccount"] = (account) => {
    const { queue, ...others } = store.forAccount(account);
    const requestCancel: typeof queue.requestCancel = async (...args) => {
      await queue.requestCancel(...args);
      requested.tell();
    };
    return { ...others, queue: { ...queue, requestCancel } };
  };
  const handler = createCancelMessage({
    store: { ...store, forAccount },
    clock: systemClock,
    retentionMs: DAY_MS,
    waitMs,
  });
  return handler(create(CancelMessageRequestSchema, { id, accountId }), { ...OPERATOR, signal });
}

const kinds = async () => (await store.acrossAccounts.events.listOfMessage("msg_1")).map(({ kind }) => kind);

describe("a message that is due later", () => {
  it.each(["scheduled", "queued", "deferred"] as const)(
    "is cancelled immediately when it is %s",
    async (state) => {
      const attempts = state === "deferred" ? 2 : 0;
      await stored({ state, attempts, nextAttemptAt: later() });
      expect((await cancel("msg_1")).message).toMatchObject({ id: "msg_1", state: "cancelled" });
      const after = await store.acrossAccounts.messages.findById("msg_1");
      expect(after).toMatchObject({ state: "cancelled", attempts });
      expect(after).not.toHaveProperty("nextAttemptAt");
      expect(after).not.toHaveProperty("cancelRequestedAt");
      expect(Number(after?.expireAt) - Number(after?.updatedAt)).toBe(DAY_MS);
      expect(await store.acrossAccounts.events.listOfMessage("msg_1")).toMatchObject([
        { _id: `msg_1.${attempts}.cancelled`, kind: "cancelled", attempt: attempts },
      ]);
    },
  );

  it("is cancelled once, for any number of parallel requests", async () => {
    await stored({ state: "scheduled", nextAttemptAt: later() });
    const answers = await Promise.all([cancel("msg_1"), cancel("msg_1"), cancel("msg_1")]);
    const first = await store.acrossAccounts.messages.findById("msg_1");
    answers.push(await cancel("msg_1"));
    expect(answers.map(({ message }) => message?.state)).toEqual(Array(4).fill("cancelled"));
    expect(await store.acrossAccounts.messages.findById("msg_1")).toEqual(first);
    expect(await kinds()).toEqual(["cancelled"]);
  });

  it("that a crashed core has removed from the queue is completed by the next request", async () => {
    await stored({ state: "scheduled", nextAttemptAt: later() });
    const now = new Date();
    const dueTomorrow = {
      partitions: [1],
      priority: "transactional" as const,
      from: undefined,
      now: new Date(Date.now() + DAY_MS),
      limit: 10,
    };
    const message = messageDocument();
    const { queue } = store.forAccount(message.accountId);
    expect(await queue.withdrawBeforeDue(message, now, { at: now, audit: testAudit })).toBe(true);
    expect((await store.acrossAccounts.queue.findDue(dueTomorrow)).documents).toEqual([]);
    expect((await store.acrossAccounts.queue.findCancelRequests([1], 10)).documents).toMatchObject([
      { _id: "msg_1" },
    ]);
    expect((await cancel("msg_1")).message?.state).toBe("cancelled");
    expect(await kinds()).toEqual(["cancelled"]);
    expect((await store.acrossAccounts.queue.findCancelRequests([1], 10)).documents).toEqual([]);
  });
});

describe("a message that may be under way", () => {
  it("is not taken from a worker that delivers it, although other workers do not see it", async () => {
    const message = await stored({});
    await store.acrossAccounts.queue.hold([{ ...message, epoch: 1 }], later());
    await expect(cancel("msg_1", { waitMs: 300 })).rejects.toMatchObject({ code: "message.cancel_pending" });
    expect((await store.acrossAccounts.messages.findById("msg_1"))?.state).toBe("queued");
  });

  /** Work of the worker that holds the message's partition. */
  async function ownerCancels(): Promise<void> {
    await requested.until(1);
    const { documents: requests } = await store.acrossAccounts.queue.findCancelRequests([0, 1], 10);
    const at = new Date();
    await store.acrossAccounts.events.insertMissing(
      requests.map((message) => cancelledEvent(message, at, later())),
    );
    expect(await store.acrossAccounts.queue.cancel(requests, { at, expireAt: later() }, 1)).toBe(
      requests.length,
    );
  }

  async function ownerEnds(to: "delivered" | "deferred"): Promise<void> {
    await requested.until(1);
    const ending = to === "delivered" ? { expireAt: later() } : { nextAttemptAt: later() };
    await applyTransitions(store.acrossAccounts, [
      {
        messageId: "msg_1",
        bucket: messageDocument().bucket,
        to,
        attempts: 1,
        at: new Date(),
        epoch: 1,
        ...ending,
      },
    ]);
  }

  it("is cancelled when its partition's owner decides so", async () => {
    await stored({ state: "queued" });
    const [answer] = await Promise.all([cancel("msg_1"), ownerCancels()]);
    expect(answer.message?.state).toBe("cancelled");
    expect(await kinds()).toEqual(["cancelled"]);
  });

  it("is refused with its state when the attempt delivers it", async () => {
    await stored({ state: "queued" });
    const refused = expect(cancel("msg_1")).rejects.toMatchObject({
      code: "message.not_cancellable",
      public: "Message msg_1 is delivered.",
    });
    await ownerEnds("delivered");
    await refused;
    expect(await kinds()).toEqual(["delivered"]);
    expect((await store.acrossAccounts.queue.findCancelRequests([1], 10)).documents).toEqual([]);
  });

  it("is cancelled when the attempt defers it", async () => {
    await stored({ state: "queued" });
    const [answer] = await Promise.all([cancel("msg_1"), ownerEnds("deferred")]);
    expect(answer.message?.state).toBe("cancelled");
    expect(await kinds()).toEqual(["deferred", "cancelled"]);
  });

  it("is reported as pending while no owner decides, and stays requested", async () => {
    await stored({ state: "queued" });
    await expect(cancel("msg_1", { waitMs: 300 })).rejects.toMatchObject({
      code: "message.cancel_pending",
      retryAfterSeconds: 10,
    });
    const [request] = (await store.acrossAccounts.queue.findCancelRequests([1], 10)).documents;
    await expect(cancel("msg_1", { waitMs: 0 })).rejects.toMatchObject({ code: "message.cancel_pending" });
    expect((await store.acrossAccounts.queue.findCancelRequests([1], 10)).documents).toEqual([request]);
    expect((await store.acrossAccounts.queue.findCancelRequests([2], 10)).documents).toEqual([]);
    expect(await kinds()).toEqual([]);
  });

  it("is no longer polled after its caller has stopped waiting", async () => {
    await stored({ state: "queued" });
    const signal = AbortSignal.timeout(100);
    await expect(cancel("msg_1", { signal, waitMs: HOUR_MS })).rejects.toMatchObject({
      code: "message.cancel_pending",
    });
  });
});

describe("refuses", () => {
  it("an unknown message, and one of another account", async () => {
    await stored({ state: "scheduled", nextAttemptAt: later() });
    await expect(cancel("msg_2")).rejects.toMatchObject({ code: "message.unknown" });
    await expect(cancel("msg_1", { accountId: "acc_2" })).rejects.toMatchObject({ code: "message.unknown" });
    expect((await store.acrossAccounts.messages.findById("msg_1"))?.state).toBe("scheduled");
  });

  const finished = messageStates.filter(
    (state) => !["accepted", "scheduled", "queued", "sending", "deferred", "cancelled"].includes(state),
  );

  it.each(finished)("one that is %s, with its state", async (state) => {
    const message = await stored({ state });
    await expect(cancel("msg_1")).rejects.toMatchObject({
      code: "message.not_cancellable",
      public: `Message msg_1 is ${state}.`,
    });
    expect(await store.acrossAccounts.messages.findById("msg_1")).toEqual({
      ...message,
      journal: expect.any(String),
    });
  });
});

it("the store cancels no message without a request", async () => {
  await stored({ state: "queued" });
  const message = messageDocument();
  const cancellation = { at: new Date(), expireAt: later() };
  expect(await store.acrossAccounts.queue.cancel([message], cancellation, 1)).toBe(0);
  expect(await store.forAccount(message.accountId).queue.cancel(message, cancellation)).toBe(0);
  expect((await store.acrossAccounts.messages.findById("msg_1"))?.state).toBe("queued");
});
