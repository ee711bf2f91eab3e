import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { messageEvent } from "../../src/events/message-event.ts";
import { newIdInBucket } from "../../src/shared/ids.ts";
import { createAccountExportStore } from "../../src/store/account-export-store.ts";
import type { NewEvent } from "../../src/store/journal/journal-documents.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { createMessageRemoval } from "../../src/store/message-removal.ts";
import type { MessageTransition } from "../../src/store/queue-store.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { inTransaction } from "../../src/store/transaction.ts";
import { failingDb } from "../harness/failing-db.ts";
import { messageDocument } from "../harness/message-document.ts";
import { miscounted } from "../harness/recount.ts";
import { repetitions } from "../harness/repetitions.ts";
import { testSealing } from "../harness/sealing.ts";
import { storedEvents } from "../harness/stored-events.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const accountId = "acc_1";

interface Attempt {
  readonly to: "delivered" | "captured" | "deferred" | "bounced";
  readonly attempts?: number;
  readonly epoch?: number;
  readonly at?: Date;
}

let opened: TestStore;
let seed = 0;
const start = new Date();
const later = (ms: number) => new Date(start.getTime() + ms);
beforeEach(async () => {
  opened = await openTestStore();
  await opened.db.collection<{ _id: string }>("accounts").insertOne({ _id: accountId });
});
afterEach(() => opened.close());

const newProcess = (db = opened.db): Store => createStore(db, testSealing);

async function accept(store: Store, at = start): Promise<MessageDocument> {
  const _id = newIdInBucket("msg", at, seed++);
  const message = messageDocument({ _id, accountId, state: "queued", createdAt: at, nextAttemptAt: at });
  await store.acrossAccounts.messages.insertMany([message]);
  return message;
}

function endOf(
  message: MessageDocument,
  { to, attempts = 1, epoch = 1, at = later(attempts * 1_000) }: Attempt,
): { readonly event: NewEvent; readonly transition: MessageTransition } {
  const expireAt = new Date(at.getTime() + HOUR_MS);
  const reply = { via: "mx.example.net", code: 250, detail: "250 ok" };
  const event = messageEvent(message, { kind: to, attempt: attempts, at, expireAt, reply });
  const { _id: messageId, bucket } = message;
  const rest = to === "deferred" ? { nextAttemptAt: later(MINUTE_MS) } : { expireAt };
  return { event, transition: { messageId, bucket, to, attempts, at, epoch, ...rest } };
}

function record({ acrossAccounts }: Store, ends: readonly ReturnType<typeof endOf>[]): Promise<number> {
  const events = ends.map(({ event }) => event);
  const announced = acrossAccounts.events.announce(events);
  return acrossAccounts.queue.applyWithEvents(
    ends.map(({ transition }) => transition),
    events,
    announced,
  );
}

const stateOf = async ({ _id }: MessageDocument) =>
  (await newProcess().acrossAccounts.messages.findById(_id))?.state;
const shown = async ({ _id }: MessageDocument) => {
  const events = await newProcess().forAccount(accountId).events.listOfMessage(_id);
  return events.map(({ kind, attempt }) => `${attempt}.${kind}`);
};
const alone = () => opened.db.collection("events").countDocuments();

async function expectCounted(): Promise<void> {
  expect(await miscounted(opened.db)).toEqual({ expected: {}, found: {} });
}

describe("the event of a delivery", () => {
  it("is part of its message, with all fields of an event", async () => {
    const store = newProcess();
    const message = await accept(store);
    const end = endOf(message, { to: "delivered" });
    expect(await record(store, [end])).toBe(1);
    expect(await alone()).toBe(0);
    const { about: _, ...event } = end.event;
    const [found] = await store.forAccount(accountId).events.listOfMessage(message._id);
    expect(found).toEqual({ ...event, bucket: message.bucket, journal: expect.any(String) });
    const replies = await store
      .forAccount(accountId)
      .events.lastReplies(await store.acrossAccounts.messages.findByIds([message._id]));
    expect(replies.get(message._id)).toMatchObject({ replyCode: 250, detail: "250 ok" });
    expect(await newProcess().forAccount("acc_2").events.listOfMessage(message._id)).toEqual([]);
    await store.acrossAccounts.journal.fold(start);
    await expectCounted();
  });

  it("stays alone after deferred attempts, which are events of their own", async () => {
    const store = newProcess();
    const message = await accept(store);
    await record(store, [endOf(message, { to: "deferred" })]);
    await record(store, [endOf(message, { to: "captured", attempts: 2 })]);
    expect(await shown(message)).toEqual(["1.deferred", "2.captured"]);
    expect(await alone()).toBe(1);
    await expectCounted();
  });

  it("of a former owner is added without a state, and leaves the place of the later one", async () => {
    const [former, owner] = [newProcess(), newProcess()];
    const message = await accept(owner);
    await record(owner, [endOf(message, { to: "deferred", epoch: 2 })]);
    const late = endOf(message, { to: "delivered", epoch: 1, at: later(3_000) });
    for (const _ of [1, 2]) expect(await record(former, [late])).toBe(0);
    expect(await stateOf(message)).toBe("deferred");
    expect(await alone()).toBe(1);
    const second = endOf(message, { to: "delivered", attempts: 2, epoch: 2, at: later(5_000) });
    expect(await record(owner, [second])).toBe(1);
    expect(await stateOf(message)).toBe("delivered");
    expect(await shown(message)).toEqual(["1.deferred", "1.delivered", "2.delivered"]);
    await expectCounted();
  });

  it("of a removed message is not stored", async () => {
    const store = newProcess();
    const message = await accept(store);
    await opened.db.collection<{ _id: string }>("messages").deleteOne({ _id: message._id });
    expect(await record(store, [endOf(message, { to: "delivered" })])).toBe(0);
    expect(await storedEvents(opened.db)).toEqual([]);
  });

  it("is counted after its process has ended, also if the recipient has complained before", async () => {
    const store = newProcess();
    const [first, second] = [await accept(store), await accept(store)];
    await record(store, [endOf(first, { to: "delivered" }), endOf(second, { to: "delivered" })]);
    const late = { at: later(MINUTE_MS), expireAt: later(9 * HOUR_MS) };
    const { messages } = newProcess().forAccount(accountId);
    expect(await messages.applyLateOutcome(first, "complained", late)).toBe(true);
    await expectCounted();
  });

  it("leaves a later time of removal to a late outcome after a day", async () => {
    const store = newProcess();
    const message = await accept(store);
    await record(store, [endOf(message, { to: "delivered" })]);
    const late = { at: later(25 * HOUR_MS), expireAt: later(30 * HOUR_MS), category: "spam" };
    await store.forAccount(accountId).messages.applyLateOutcome(message, "complained", late);
    expect(await store.acrossAccounts.messages.findById(message._id)).toMatchObject({
      state: "complained",
      category: "spam",
      expireAt: late.expireAt,
    });
  });

  it("is an event of its own for messages of the time when programs did not read it elsewhere", async () => {
    const schema = opened.db.collection<{ _id: string; state: string; finishedAt?: Date }>("schema");
    await schema.insertOne({ _id: "migration.11", state: "waiting" });
    const store = newProcess();
    const before = await accept(store);
    await record(store, [endOf(before, { to: "delivered" })]);
    const done = { $set: { state: "done", finishedAt: start } };
    await schema.updateOne({ _id: "migration.11" }, done);
    const [soon, after] = [await accept(store, later(MINUTE_MS - 1)), await accept(store, later(MINUTE_MS))];
    for (const message of [before, soon, after])
      await record(store, [endOf(message, { to: "delivered", at: later(2 * MINUTE_MS) })]);
    const own = await opened.db.collection("events").find().toArray();
    expect(own.map(({ messageId }) => messageId)).toEqual([before._id, soon._id]);
    for (const message of [before, soon, after]) expect(await shown(message)).toEqual(["1.delivered"]);
  });

  it("is exported and removed with its message, and counted among the removed events", async () => {
    const store = newProcess();
    const message = await accept(store);
    await record(store, [endOf(message, { to: "deferred" })]);
    await record(store, [endOf(message, { to: "delivered", attempts: 2 })]);
    const stored = await store.acrossAccounts.messages.findById(message._id);
    if (!stored) throw new Error("The message is not stored.");
    const exported = await createAccountExportStore(opened.db).forAccount(accountId).listEvents(stored);
    expect(exported.documents.map(({ kind }) => kind)).toEqual(["deferred", "delivered"]);
    const { removed } = await inTransaction(opened.db.client, (session) =>
      createMessageRemoval(opened.db).remove(accountId, [message], { session, keepShared: false }),
    );
    expect(removed).toMatchObject({ messages: 1, events: 2 });
    expect(await storedEvents(opened.db)).toEqual([]);
  });
});

const attempt = fc.record({
  message: fc.nat(3),
  by: fc.nat(1),
  to: fc.constantFrom("delivered", "captured", "deferred", "bounced"),
  epoch: fc.integer({ min: 1, max: 3 }),
  fails: fc.option(
    fc.record({ nth: fc.integer({ min: 1, max: 4 }), time: fc.constantFrom("before", "after") }),
  ),
});

it("stores each event of any attempts once, with its state, and counts it once", {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(attempt, { minLength: 1, maxLength: 12 }), async (attempts) => {
      const stores = [newProcess(), newProcess()];
      const messages = await Promise.all([1, 2, 3, 4].map(() => accept(stores[0] as Store)));
      const expected = new Set<string>();
      const tries = new Map<string, number>();
      for (const [index, { message: which, by, to, epoch, fails }] of attempts.entries()) {
        const message = messages[which] as MessageDocument;
        const found = await newProcess().acrossAccounts.messages.findById(message._id);
        // An owner knows the number of attempts at its beginning, which another owner may exceed.
        const number = fails ? (tries.get(message._id) ?? 1) : (found?.attempts ?? 0) + 1;
        tries.set(message._id, number);
        const at = later(1_000 * (index + 1));
        const end = endOf(message, { to, attempts: number, epoch, at });
        if (fails) {
          const failing = failingDb(opened.db, fails.nth, fails.time as "before" | "after", true);
          await record(newProcess(failing.db), [end]).catch(() => undefined);
        } else {
          await record(stores[by] as Store, [end]);
          expected.add(end.event._id);
        }
      }
      const ids = (await storedEvents(opened.db)).map(({ _id }) => _id);
      expect(new Set(ids).size).toBe(ids.length);
      expect([...expected].filter((id) => !ids.includes(id))).toEqual([]);
      for (const { _id, state, attempts: made } of await newProcess().acrossAccounts.messages.findByIds(
        messages.map(({ _id }) => _id),
      ))
        if (state !== "queued") expect(ids).toContain(`${_id}.${made}.${state}`);
      for (const { acrossAccounts } of stores) await acrossAccounts.journal.fold(start);
      await expectCounted();
    }),
    { numRuns: repetitions(25, 300) },
  );
});
