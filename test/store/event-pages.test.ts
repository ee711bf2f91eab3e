import type { CommandStartedEvent } from "mongodb";
import { afterEach, beforeEach, expect, it } from "vitest";
import { newIdInBucket } from "../../src/shared/ids.ts";
import { eventPagesOf } from "../../src/store/journal/event-pages.ts";
import { journalCollections } from "../../src/store/journal/journal-documents.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { logged, toBeLogged } from "../harness/event-log.ts";
import { messageDocument } from "../harness/message-document.ts";
import { damage, invalidUtf8 } from "../harness/raw-documents.ts";
import { countAll, counted, recount } from "../harness/recount.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TURN = "eventLogTurn";

let opened: TestStore;
const start = new Date();
const later = (ms: number) => new Date(start.getTime() + ms);
beforeEach(async () => {
  opened = await openTestStore();
  await opened.db.collection<{ _id: string }>("accounts").insertOne({ _id: "acc_1" });
});
afterEach(() => opened.close());

const newProcess = (): Store => createStore(opened.db, testSealing);
const pages = () => eventPagesOf(opened.db);
const places = () => opened.db.collection<{ _id: string; at: Date; page?: string }>("eventLog");

async function accept(store: Store, count = 3): Promise<void> {
  const messages = Array.from({ length: count }, (_, n) =>
    messageDocument({ _id: newIdInBucket("msg", start, n), accountId: "acc_1", createdAt: start }),
  );
  await store.acrossAccounts.messages.insertMany(messages);
}

/** A turn of another process, for which all processes without a recent heartbeat have ended if `endsAll`. */
const recover = (at: Date, endsAll = false) =>
  newProcess().acrossAccounts.journal.recover(at, ...(endsAll ? [() => at] : []));

async function expectRecount(): Promise<void> {
  const expected = await recount(opened.db);
  expect(Object.keys(expected).length).toBeGreaterThan(0);
  expect(await counted(opened.db)).toEqual(expected);
  expect(await logged(opened.db)).toEqual(await toBeLogged(opened.db));
}

it("stay for three days after they got their place, and then go with it", async () => {
  const store = newProcess();
  await accept(store);
  await store.acrossAccounts.journal.fold(start);
  await store.acrossAccounts.journal.close(start);
  await recover(later(3 * DAY_MS - HOUR_MS));
  await expectRecount();
  expect(await pages().countDocuments()).toBe(1);
  await recover(later(3 * DAY_MS + HOUR_MS));
  expect([await pages().countDocuments(), await places().countDocuments()]).toEqual([0, 0]);
  expect(await counted(opened.db)).toEqual(await recount(opened.db));
});

it("wait for their place however long the installation was shut down", async () => {
  const turns = opened.db.collection<{ _id: string; holder: string; until: Date }>("installation");
  await turns.insertOne({ _id: TURN, holder: "a process that ended", until: new Date(Date.now() + 4_000) });
  const store = newProcess();
  await accept(store);
  await store.acrossAccounts.journal.fold(start);
  expect(await counted(opened.db)).toEqual({});
  await turns.deleteOne({ _id: TURN });
  await recover(later(30 * DAY_MS), true);
  await expectRecount();
});

it("are not counted again when their process is found ended after a long time", async () => {
  const store = newProcess();
  await accept(store);
  await store.acrossAccounts.journal.fold(start);
  for (const days of [5, 6, 7, 8, 9, 10, 11]) {
    const endsAll = true;
    await recover(later(days * DAY_MS), endsAll);
    expect(await counted(opened.db)).toEqual(await recount(opened.db));
  }
  expect([await pages().countDocuments(), await places().countDocuments()]).toEqual([0, 0]);
  expect(await journalCollections(opened.db).writers.countDocuments()).toBe(0);
});

it("go with their writer if it wrote them but ended before it recorded them", async () => {
  const store = newProcess();
  await accept(store);
  await store.acrossAccounts.journal.fold(start);
  const [page] = await pages().find().toArray();
  if (!page) throw new Error("There is no page.");
  await pages().insertOne({ ...page, _id: `${page._id.slice(0, -1)}~`, fold: (page.fold ?? 0) + 1 });
  for (let days = 0; days < 7; days++) await recover(later(HOUR_MS + days * 3 * HOUR_MS), true);
  expect(await pages().find().toArray()).toEqual([page]);
  await expectRecount();
});

it("stay, like their places, while a damaged document of a writer hides what is needed", async () => {
  const store = newProcess();
  await accept(store);
  await store.acrossAccounts.journal.fold(start);
  await store.acrossAccounts.journal.close(start);
  const { writers } = journalCollections(opened.db);
  const [writer] = await writers.find().toArray();
  if (!writer) throw new Error("There is no writer.");
  await writers.insertOne({ ...writer, _id: "jnw_damaged", note: "about" } as typeof writer);
  await damage(opened.db, "journalWriters", "jnw_damaged", invalidUtf8("about"));
  await recover(later(4 * DAY_MS));
  await expectRecount();
  await recover(later(8 * DAY_MS));
  expect([await pages().countDocuments(), await places().countDocuments()]).toEqual([0, 0]);
});

it("leave the positions of events that a program of schema version 9 has recorded", async () => {
  const { eventLog } = newProcess().acrossAccounts;
  const { last } = await eventLog.bounds();
  const _id = String(last + 1).padStart(16, "0");
  const event = { id: "msg_1.1.delivered", type: "message.delivered", at: start };
  const groups = [{ accountId: "acc_1", events: [event] }];
  await opened.db
    .collection<{ _id: string; at: Date; groups: object[] }>("eventLog")
    .insertOne({ _id, at: start, groups });
  const told = { eventId: event.id, type: event.type, at: start, accountId: "acc_1", messageId: "msg_1" };
  expect((await eventLog.list(last, 10)).documents).toEqual([{ _id, events: [told] }]);
});

it("of many accounts are counted in transactions of limited size, without a query for each account", async () => {
  const ids = Array.from({ length: 2_100 }, (_, n) => `acc_many_${n}`);
  await opened.db.collection<{ _id: string }>("accounts").insertMany(ids.map((_id) => ({ _id })));
  const store = newProcess();
  const messages = ids.map((accountId, n) =>
    messageDocument({
      _id: newIdInBucket("msg", start, n),
      accountId,
      idempotencyKey: `key ${n}`,
      createdAt: start,
    }),
  );
  for (let from = 0; from < messages.length; from += 300)
    await store.acrossAccounts.messages.insertMany(messages.slice(from, from + 300));
  const sent: CommandStartedEvent[] = [];
  opened.db.client.on("commandStarted", (event) => sent.push(event));
  await store.acrossAccounts.journal.fold(start);
  await store.acrossAccounts.eventLog.place();
  await countAll(opened.db);
  const names = (name: string) => sent.filter(({ commandName }) => commandName === name);
  const counted = names("update").filter(({ command }) => command.update === "counters");
  for (const { command } of counted) expect(command.updates.length).toBeLessThanOrEqual(3 * 1_000);
  const queries = [...names("find"), ...names("aggregate")];
  const ofCounters = queries.filter(({ command }) =>
    ["counters", "sendingDays"].includes(command.find ?? command.aggregate),
  );
  expect(ofCounters.length).toBeLessThan(100);
  await expectRecount();
});
