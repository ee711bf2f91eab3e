import fc from "fast-check";
import type { ClientSession, MongoClient } from "mongodb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { messageEvent } from "../../src/events/message-event.ts";
import { newIdInBucket } from "../../src/shared/ids.ts";
import { keyOfValue, MAX_VALUES, valueOfKey } from "../../src/store/counters/counter-documents.ts";
import { MAX_SENDING_DOMAINS, type SendingDayDocument } from "../../src/store/counters/sending-days.ts";
import { journalCollections } from "../../src/store/journal/journal-documents.ts";
import type { EventDocument, MessageDocument } from "../../src/store/message-documents.ts";
import { countingMigration } from "../../src/store/migrations/13-counting.ts";
import type { MigrationContext } from "../../src/store/migrations/migration.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { webhookCollections } from "../../src/store/webhook-delivery-documents.ts";
import { beforeFirstDelete } from "../harness/before-first-delete.ts";
import { logged, toBeLogged } from "../harness/event-log.ts";
import { endpointDocument, expectedDeliveries, foundDeliveries } from "../harness/expected-deliveries.ts";
import { messageDocument } from "../harness/message-document.ts";
import { countAll, counted, countedSending, recount, recountSending } from "../harness/recount.ts";
import { repetitions } from "../harness/repetitions.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const START_MS = Date.UTC(2030, 0, 1, 12);
const HOUR_MS = 3_600_000;
const ACCOUNTS = ["acc_a", "acc_b"];
const kinds = [
  "delivered",
  "deferred",
  "bounced",
  "cancelled",
  "suppressed",
  "opened",
  "clicked",
  "unsubscribed",
] as const;
const tags = [
  "welcome",
  "a.b",
  "$set",
  "__proto__",
  "constructor",
  "%2e",
  "0",
  "ü".repeat(64),
  "\0",
  "other",
];

let opened: TestStore;
let seed = 0;
beforeEach(async () => {
  opened = await openTestStore();
  await opened.db.collection<{ _id: string }>("accounts").insertMany(ACCOUNTS.map((_id) => ({ _id })));
  await webhookCollections(opened.db).endpoints.insertMany([
    endpointDocument({ _id: "wep_all", accountId: "acc_a" }),
    endpointDocument({
      _id: "wep_some",
      accountId: "acc_a",
      types: ["message.delivered"],
      policies: ["default"],
    }),
    endpointDocument({ _id: "wep_tags", accountId: "acc_b", tags: ["welcome", "$set"] }),
  ]);
});
afterEach(() => opened.close());

/** One of the processes of an installation. */
const newProcess = (): Store => createStore(opened.db, testSealing);
const now = () => new Date(START_MS + seed);

function newMessage(changes: Partial<MessageDocument> = {}): MessageDocument {
  const number = seed++;
  const at = new Date(START_MS + (number % 5) * 7_000);
  // Some cannot be found by their time, such as those with an id from another process.
  const idTime = number % 6 === 5 ? new Date(at.getTime() - HOUR_MS) : at;
  return messageDocument({
    _id: newIdInBucket("msg", idTime, number % 65_536),
    accountId: ACCOUNTS[number % ACCOUNTS.length] as string,
    recipientDomain: number % 3 === 0 ? "googlemail.com" : "example.com",
    policy: number % 2 === 0 ? "default" : "bulk.$",
    keyId: ["key_a", "acc_a.usr_1", ""][number % 3] as string,
    from: `shop@${number % 4 === 0 ? "Shop.Example" : "post.example"}`,
    ...(number % 3 === 1 && { template: { name: "order.$", version: number } }),
    tags: [tags[number % tags.length] as string, tags[(number * 3) % tags.length] as string],
    createdAt: at,
    ...(number % 4 === 0 &&
      changes.state === undefined && { state: "scheduled", sendAt: new Date(at.getTime() + HOUR_MS) }),
    ...changes,
  });
}

function eventOf(message: MessageDocument, kind: EventDocument["kind"], attempt = 1) {
  const at = new Date(message.createdAt.getTime() + attempt * 30_000 + Number(message.bucket));
  const reply = { detail: "so it is", ...(kind === "bounced" && { category: "spam" as const }) };
  const hit = kind === "opened" || kind === "clicked" ? isFirst(message) : undefined;
  return messageEvent(message, { kind, attempt, at, expireAt: new Date(at.getTime() + HOUR_MS), reply, hit });
}

/** Every other open is by a program, or by another person. */
const isFirst = ({ bucket = 0 }: MessageDocument) => (bucket % 2 === 0 ? { first: true as const } : {});

/** Accepts some messages, with one event for each. */
async function live({ acrossAccounts }: Store, count = 7): Promise<MessageDocument[]> {
  const messages = Array.from({ length: count }, () => newMessage());
  await acrossAccounts.messages.insertMany(messages);
  const events = messages.map((message, at) => eventOf(message, kinds[at % kinds.length] ?? "failed"));
  await acrossAccounts.events.insertMissing(events);
  return messages;
}

/** Another process searches only for announced events, while all writers are alive. */
async function check(): Promise<void> {
  await newProcess().acrossAccounts.journal.recover(new Date(Date.now() + HOUR_MS));
  await countAll(opened.db);
}

/** Another process searches for remaining events after this delay. */
async function recover(afterMs = HOUR_MS): Promise<void> {
  const at = new Date(Date.now() + afterMs);
  await newProcess().acrossAccounts.journal.recover(at, () => at);
}

/** Every counted event is delivered, and no other. */
async function expectRecount(): Promise<void> {
  expect(await logged(opened.db)).toEqual(await toBeLogged(opened.db));
  await expectCounted();
}

/** As `expectRecount`, after the event log was kept long enough. */
async function expectCounted(): Promise<void> {
  expect(await foundDeliveries(opened.db)).toEqual(await expectedDeliveries(opened.db));
  const expected = await recount(opened.db);
  expect(Object.keys(expected).length).toBeGreaterThan(0);
  expect(await counted(opened.db)).toEqual(expected);
  expect(await counted(opened.db, "hour")).toEqual(await recount(opened.db, HOUR_MS));
  expect(await counted(opened.db, "day")).toEqual(await recount(opened.db, 24 * HOUR_MS));
  expect(await countedSending(opened.db)).toEqual(await recountSending(opened.db));
}

describe.each([
  { form: "as pages", missing: [] },
  { form: "as programs of schema version 12 do", missing: [13] },
  { form: "as programs of schema version 9 do", missing: [10, 13] },
])("counters equal a recount of messages and events that are recorded $form", ({ missing }) => {
  const migrations = () => opened.db.collection<{ _id: string; state: string }>("schema");
  const installation = () => opened.db.collection<{ _id: string }>("installation");
  const setState = async (state: "waiting" | "done") => {
    for (const version of missing)
      await migrations().updateOne({ _id: `migration.${version}` }, { $set: { state } }, { upsert: true });
  };
  /** Everything must be counted. */
  const beFormer = async () => {
    await setState("waiting");
    if (missing.length === 0) return;
    await installation().deleteOne({ _id: "eventCounting" });
    await installation().updateOne({ _id: "eventLog" }, { $unset: { countedThrough: "" } });
  };
  const migrate = async () => {
    await countingMigration.run({ db: opened.db } as MigrationContext);
    await setState("done");
  };
  beforeEach(beFormer);

  it("after any events, counted in any order", { timeout: 60_000 }, async () => {
    let processes = [newProcess(), newProcess()];
    const what = fc.constantFrom(
      "live",
      "again",
      "fold",
      "both",
      ...(missing.length === 0 ? [] : ["migrate"]),
    );
    const step = fc.record({ by: fc.nat(1), what });
    let last: MessageDocument[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        await beFormer();
        processes = [newProcess(), newProcess()];
        for (const { by, what } of steps) {
          if (what === "migrate") await migrate();
          const store = processes[by] as Store;
          if (what === "live") last = await live(store, 1 + (seed % 4));
          // A retry, possibly by another process.
          if (what === "again" && last.length > 0) {
            await store.acrossAccounts.messages.insertMany(last);
            await store.acrossAccounts.events.insertMissing(
              last.map((message) => eventOf(message, "delivered")),
            );
          }
          if (what === "fold") await store.acrossAccounts.journal.fold(now());
          if (what === "both")
            await Promise.all(processes.map(({ acrossAccounts }) => acrossAccounts.journal.fold(now())));
        }
        for (const { acrossAccounts } of processes) await acrossAccounts.journal.fold(now());
        await check();
        expect(await counted(opened.db)).toEqual(await recount(opened.db));
      }),
      { numRuns: repetitions(10, 25) },
    );
    await live(processes[0] as Store);
    await processes[0]?.acrossAccounts.journal.fold(now());
    await check();
    await expectRecount();
  });

  it("after a process ends before it has counted, or deregisters", async () => {
    const [killed, orderly] = [newProcess(), newProcess()];
    await live(killed);
    await killed.acrossAccounts.journal.fold(now());
    await live(killed);
    await live(orderly);
    await orderly.acrossAccounts.journal.close(now());
    await recover();
    await expectRecount();
    await recover(2 * HOUR_MS);
    await expectRecount();
  });

  it("after a process is paused, considered ended, and continues", async () => {
    const paused = newProcess();
    const first = await live(paused);
    await recover();
    await expectRecount();
    await paused.acrossAccounts.events.insertMissing(first.map((message) => eventOf(message, "failed", 2)));
    await paused.acrossAccounts.journal.fold(now());
    await live(paused);
    await paused.acrossAccounts.journal.fold(now());
    await recover();
    await recover(2 * HOUR_MS);
    await expectRecount();
  });

  it("after an announced event is stored only after the search of others", async () => {
    const { acrossAccounts } = newProcess();
    const message = newMessage();
    const announced = acrossAccounts.messages.announce([message]);
    await announced.written;
    await recover(60_000);
    expect(await counted(opened.db)).toEqual({});
    await acrossAccounts.messages.insertMany([message], announced);
    await acrossAccounts.journal.fold(now());
    await recover(120_000);
    await expectRecount();
  });

  it("if the outcome of a write or of a count is unknown", async () => {
    const store = newProcess();
    await live(store);
    const client = opened.db.client as MongoClient & { startSession(options?: object): ClientSession };
    const { startSession } = client;
    client.startSession = (options?: { readonly explicit?: boolean }) => {
      const session = startSession.call(client, options);
      // The driver's own session, for writes outside of transactions.
      if (options?.explicit === false) return session;
      client.startSession = startSession;
      const commit = session.commitTransaction.bind(session);
      session.commitTransaction = async () => {
        await commit();
        throw new Error("the answer got lost");
      };
      return session;
    };
    await expect(store.acrossAccounts.journal.fold(now())).rejects.toMatchObject({
      code: "store.unavailable",
    });
    await live(store);
    await store.acrossAccounts.journal.fold(now());
    await check();
    await expectRecount();

    const { messages } = store.acrossAccounts;
    const unsure = newMessage();
    const announced = messages.announce([unsure]);
    await announced.written;
    // Like a server with a lost answer.
    const journal = announced.journalOf(unsure._id);
    await opened.db.collection<MessageDocument>("messages").insertOne({ ...unsure, journal });
    announced.settle("doubt");
    await store.acrossAccounts.journal.fold(now());
    await recover(0);
    await expectRecount();
  });
});

describe("counters equal a recount of messages and events", () => {
  it("if the reader of the event log begins to count while a process places and counts", async () => {
    const migrations = opened.db.collection<{ _id: string; state: string }>("schema");
    await migrations.insertOne({ _id: "migration.13", state: "waiting" });
    const db = beforeFirstDelete(opened.db, "unplacedPages", () =>
      countingMigration.run({ db: opened.db } as MigrationContext),
    );
    const former = newProcess();
    await live(former);
    await former.acrossAccounts.journal.fold(now());
    const placing = createStore(db, testSealing);
    await live(placing);
    await placing.acrossAccounts.journal.fold(now());
    await check();
    await expectRecount();
    await migrations.updateOne({ _id: "migration.13" }, { $set: { state: "done" } });
    await live(former);
    await former.acrossAccounts.journal.fold(now());
    await check();
    await expectRecount();
  });

  it("after a process ends between recording and counting", async () => {
    const turns = opened.db.collection<{ _id: string; holder: string; until: Date }>("installation");
    const turn = { _id: "eventLogTurn", holder: "another process", until: new Date(Date.now() + 4_000) };
    await turns.insertOne(turn);
    const ended = newProcess();
    await live(ended);
    await ended.acrossAccounts.journal.fold(now());
    expect(await counted(opened.db)).toEqual({});
    await turns.deleteOne({ _id: turn._id });
    await newProcess().acrossAccounts.eventLog.placeIfFree();
    await check();
    await expectRecount();
  });

  it("if two processes have the turn, because one was paused", async () => {
    const db = beforeFirstDelete(opened.db, "unplacedPages", async () => {
      await opened.db.collection<{ _id: string }>("installation").deleteOne({ _id: "eventLogTurn" });
      await newProcess().acrossAccounts.eventLog.place();
      expect(await opened.db.collection("unplacedPages").countDocuments()).toBe(0);
    });
    const paused = createStore(db, testSealing);
    await live(paused);
    await paused.acrossAccounts.journal.fold(now());
    await check();
    await expectRecount();
  });
});

it("counts a write with an unknown outcome once, and reports when other processes considered it ended", async () => {
  const store = newProcess();
  await live(store);
  await store.acrossAccounts.journal.fold(now());
  const unsure = newMessage({ _id: newIdInBucket("msg", new Date(START_MS + 1_000), 7) });
  const announced = store.acrossAccounts.messages.announce([unsure]);
  await announced.written;
  const journal = announced.journalOf(unsure._id);
  await opened.db.collection<MessageDocument>("messages").insertOne({ ...unsure, journal });
  announced.settle("doubt");
  await recover();
  await expectRecount();
  await store.acrossAccounts.journal.fold(now());
  for (let hours = 2; hours < 9; hours++) await recover(hours * HOUR_MS);
  await expectRecount();
  expect(await journalCollections(opened.db).journal.countDocuments({ lookAt: { $exists: true } })).toBe(0);
});

it("counts values beyond the daily limit together", async () => {
  const { acrossAccounts } = newProcess();
  const accountId = "acc_a";
  for (let from = 0; from < 2; from++) {
    const messages = Array.from({ length: MAX_VALUES }, (_, n) =>
      newMessage({ accountId, tags: [`tag ${from * MAX_VALUES + n}`], state: "queued" }),
    );
    await acrossAccounts.messages.insertMany(messages);
    await acrossAccounts.journal.fold(now());
    await check();
  }
  const { db } = opened;
  const day = await db.collection("counters").findOne({ accountId, step: "day" });
  expect(Object.keys(day?.tag)).toHaveLength(MAX_VALUES + 1);
  expect(day?.tag.o).toEqual({ accepted: MAX_VALUES });
});

it("counts sending domains beyond the daily limit together", async () => {
  const { acrossAccounts } = newProcess();
  const accountId = "acc_a";
  for (let from = 0; from < 2; from++) {
    const messages = Array.from({ length: 600 }, (_, n) =>
      newMessage({
        accountId,
        from: `shop@d${from * 500 + n}.example`,
        recipientDomain: "gmail.com",
        state: "queued",
      }),
    );
    await acrossAccounts.messages.insertMany(messages);
    await acrossAccounts.events.insertMissing(messages.map((message) => eventOf(message, "delivered")));
    await acrossAccounts.journal.fold(now());
    await check();
  }
  const days = await opened.db.collection<SendingDayDocument>("sendingDays").find({ accountId }).toArray();
  const of = (name: string) => days.find(({ domain }) => domain === name)?.counts.gmail?.delivered;
  expect(days).toHaveLength(MAX_SENDING_DOMAINS + 1);
  expect([of("d0.example"), of("d550.example"), of("")]).toEqual([1, 2, 100]);
});

it("counts the sending domains of accounts with many of them, each up to its own limit", async () => {
  const { acrossAccounts } = newProcess();
  const { db } = opened;
  const ids = Array.from({ length: 12 }, (_, n) => `acc_large_${n}`);
  await db.collection<{ _id: string }>("accounts").insertMany(ids.map((_id) => ({ _id })));
  const day = new Date(START_MS).toISOString().slice(0, 10);
  const days = db.collection<SendingDayDocument>("sendingDays");
  for (const accountId of ids) {
    const known = Array.from({ length: MAX_SENDING_DOMAINS - 1 }, (_, n) => `d${n}.example`);
    const expireAt = new Date(START_MS + 30 * 24 * HOUR_MS);
    const stored = (domain: string) => ({ _id: `${accountId}.${day}.${domain}`, accountId, domain, day });
    await days.insertMany(known.map((domain) => ({ ...stored(domain), counts: {}, expireAt })));
  }
  const messages = ids.flatMap((accountId) =>
    ["new-a.example", "new-b.example"].map((domain) =>
      newMessage({ accountId, from: `shop@${domain}`, recipientDomain: "gmail.com", state: "queued" }),
    ),
  );
  await acrossAccounts.messages.insertMany(messages);
  await acrossAccounts.events.insertMissing(messages.map((message) => eventOf(message, "delivered")));
  await acrossAccounts.journal.fold(now());
  await check();
  for (const accountId of ids) {
    const found = await days.find({ accountId, domain: { $in: ["", "new-a.example", "new-b.example"] } });
    const counts = (await found.toArray()).map(({ domain, counts }) => [
      domain === "",
      counts.gmail?.delivered,
    ]);
    expect(counts.toSorted()).toEqual([
      [false, 1],
      [true, 1],
    ]);
  }
});

it("keeps counted journal documents for an hour, and uncounted ones longer", async () => {
  const [{ acrossAccounts }, idle] = [newProcess(), newProcess()];
  const { journal } = journalCollections(opened.db);
  await live(idle);
  await live({ acrossAccounts } as Store);
  await acrossAccounts.journal.fold(now());
  const left = await journal.countDocuments({});
  const later = new Date(START_MS + 3 * HOUR_MS);
  // By the store's clock both exist: one has counted, the other has not.
  await newProcess().acrossAccounts.journal.recover(later);
  expect(await journal.countDocuments({})).toBe(left);
  await idle.acrossAccounts.journal.close(later);
  await acrossAccounts.journal.close(later);
  await newProcess().acrossAccounts.journal.recover(new Date(later.getTime() + 2 * HOUR_MS));
  expect(await journal.countDocuments({})).toBe(0);
});

it("keeps the journal of a process that was considered ended until all searches are done", async () => {
  const { acrossAccounts } = newProcess();
  const { journal } = journalCollections(opened.db);
  await live({ acrossAccounts } as Store);
  await acrossAccounts.journal.fold(now());
  await check();
  await expectRecount();
  const later = START_MS + 3 * HOUR_MS;
  for (let hours = 0; hours < 8; hours++) {
    const at = new Date(later + hours * HOUR_MS);
    if (hours < 5) expect(await journal.countDocuments({})).toBeGreaterThan(0);
    await newProcess().acrossAccounts.journal.recover(at, () => at);
  }
  expect(await journal.countDocuments({})).toBe(0);
  await expectCounted();
});

it("counts nothing for removed accounts, and no value under another name", async () => {
  const { acrossAccounts } = newProcess();
  await acrossAccounts.messages.insertMany([newMessage({ accountId: "acc_gone" })]);
  await acrossAccounts.journal.fold(now());
  expect(await counted(opened.db)).toEqual({});
  for (const tag of tags) expect(valueOfKey(keyOfValue(tag))).toBe(tag);
  expect(new Set(tags.map(keyOfValue)).size).toBe(tags.length);
});
