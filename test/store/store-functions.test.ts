import type { CommandStartedEvent } from "mongodb";
import { afterAll, beforeAll, expect, it } from "vitest";
import { idBound } from "../../src/shared/ids.ts";
import type { AuditEntryDocument } from "../../src/store/audit/entry-document.ts";
import { collections } from "../../src/store/collections/collections.ts";
import { ID_ONLY } from "../../src/store/collections/manifest.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { hasClearSecrets, missingSecretKeys } from "../../src/store/sealing/missing-keys.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { createWriteInOrder } from "../../src/store/write-in-order.ts";
import { costsInEngine, costsOnMongoDb, planInEngine, queriesOf } from "../harness/query-plans.ts";
import { testSealing } from "../harness/sealing.ts";
import { onAllShards, unbound, unsharded } from "../harness/sent-commands.ts";
import { shownEntries } from "../harness/shown-entries.ts";
import { accountId, functionsIn, messageId, storeCalls } from "../harness/store-calls.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const { MONGODB_URL } = process.env;

/** Queries that may scan a collection or sort: their results are small. */
const ACCEPTED: Readonly<Record<string, string>> = {
  "find partitions {}": "there are 64",
  'find workers {"$expr":{"$and":[{"$gt":"?"},{"$lte":"?"}]}}': "as many as there are processes",
  'find workers {"$expr":{"$and":[{"$gt":"?"},{"$lte":"?"}]},"announced":{"$exists":"?"}}':
    "as many as there are processes",
  'find processes {"$expr":{"$and":[{"$gt":"?"},{"$lte":"?"}]}} by {"_id":1}':
    "as many as there are processes",
  'find journalWriters {"endedAt":{"$exists":"?"},"$expr":{"$not":[{"$and":[{"$gt":"?"},{"$lte":"?"}]}]}}':
    "as many as there are processes, or were within two hours",
  'find journalWriters {"endedAt":{"$exists":"?"}}': "as above",
  'delete journalWriters {"endedAt":{"$lt":"?"}}': "as above",
  'find queueHolds {} by {"_id":1}': "there are 1,000 at most",
  "find queueHolds {}": "as above",
  "find accounts {}": "stops at the second one",
  'find apiKeys {"name":"?"}': "only while there is no account",
  "aggregate quarantine {}": "the messages that cannot be read",
  "delete sandboxMessages {}": "all of them go",
  'find secrets {"sealedWith":{"$exists":"?"}}': "as many as Hermod makes for itself",
  'find messages {"traceId":"?","accountId":"?"} by {"_id":1}': "the messages of one submission",
  'find events {"_id":{"$gte":"?","$lt":"?"},"bucket":{"$in":"?"}} by {"at":1}': "the events of one message",
  'find events {"_id":{"$gte":"?","$lt":"?"},"bucket":{"$in":"?"},"accountId":"?"} by {"at":1}': "as above",
  'find domainKeys {"accountId":"?","domain":"?"} by {"signsFrom":-1,"_id":1}': "the keys of one domain",
};

/**
 * Queries that sort without an index: at most 10,000 domains of a workspace, see `watch-list.ts`, or clients and
 * domains of a workspace in a list.
 */
const isOfOneWorkspace = (shape: string, costs: ReadonlySet<string>) =>
  !costs.has("COLLSCAN") &&
  (/^find watchedDomains .* by \{"(?:scoreRank|checkedRank)":/.test(shape) ||
    /^find (?:watchedDomains|intelClients) .*"(?:searchKeys|tags|findingIds)".* by \{"(?:name|nameKey)":/.test(
      shape,
    ));

/** Rare writes that every shard receives. */
const WRITTEN_ON_ALL_SHARDS: Readonly<Record<string, string>> = {
  "update webhookDeliveries _id": "a damaged delivery, whose endpoint may be damaged",
  "update webhookDeliveries _id,state": "as above",
  "delete webhookDeliveries messageId,accountId": "with removed messages",
  "delete webhookDeliveries accountId,addressKey,at": "an erasure",
  "delete searchChunks _id": "the former chunks of a compacted day",
};

/** Queries of sharded collections that every shard answers, by their beginning. */
const ASKED_ON_ALL_SHARDS: readonly (readonly [beginning: string, reason: string])[] = [
  ['find messages {"partition":', "once a second for all partitions of a worker"],
  ['aggregate messages {"partition":', "the metrics of the queue"],
  [
    'find messages {"_id":{"$in":"?"}}',
    "only ids that are not found in their buckets: unknown, or of an early release",
  ],
  ['find messages {"_id":{"$in":"?"},"accountId":"?"}', "as above"],
  ['find messages {"traceId":', "by the trace id of a submission, on request and when its body is removed"],
  ['find messages {"_id":{"$gte":"?","$lt":"?"},"accountId":"?"}', "a repeated submission over SMTP"],
  ['find messages {"_id":{"$gte":"?","$lt":"?"}}', "a compaction of the search index"],
  ['find webhookDeliveries {"_id":{"$in":"?"}}', "damaged deliveries"],
  ['find messages {"_id":"?"}', "an unreadable message of an erasure"],
  // Lists, counts and exports of one account.
  ['find messages {"accountId":"?"', "a page of a list"],
  ['aggregate messages {"accountId":"?"', "a count of a list"],
  ['find webhookDeliveries {"accountId":"?"', "a page of a list, unless it names an endpoint"],
  ['find webhookDeliveries {"_id":"?","accountId":"?"', "one delivery, on request"],
  ['find requests {"_id":{"$in":"?"}}', "after an unknown outcome"],
  // The search for the events of a process that has ended.
  ['find messages {"_id":{"$gt":"?","$lt":"?"},"journal":', "after the end of a process"],
  ['find messages {"expireAt":', "as above"],
  ['find events {"expireAt":', "as above"],
  ['find events {"_id":{"$in":"?"}}', "as above"],
  ['find eventPages {"writer":', "as above"],
  ['find eventPages {"_id":{"$gte":"?","$lt":"?"}}', "twice a second for the live events of open pages"],
];

function mayAskAllShards(shape: string): boolean {
  return ASKED_ON_ALL_SHARDS.some(([beginning]) => shape.startsWith(beginning));
}

let opened: TestStore;
let store: Store;
let sent: CommandStartedEvent[] = [];
beforeAll(async () => {
  opened = await openTestStore();
  opened.db.client.on("commandStarted", (event) => sent.push(event));
  store = createStore(opened.db, testSealing);
  if (MONGODB_URL) await fillAuditLog();
});
afterAll(() => opened.close());

/** With only a few entries MongoDB prefers sorting. */
async function fillAuditLog(): Promise<void> {
  // Within the requested time range.
  const begin = idBound("aud", new Date(Date.now() + 20_000));
  const entries = Array.from({ length: 6_000 }, (_, n) => ({
    _id: `${begin}${String(n).padStart(16, "0")}`,
    accountId: n % 2 === 0 ? accountId : "",
    actor: { kind: "user", id: "usr_1", name: "" },
    action: n % 3 === 0 ? "key.create" : "key.rename",
    target: { kind: "key", id: messageId, name: "" },
    outcome: n % 5 === 0 ? "read" : "changed",
  }));
  await opened.db.collection<{ _id: string }>("auditEntries").insertMany(entries);
}

/** Audit entries of each function. */
const entriesOf = new Map<string, string[]>();
/** Indexes that the embedded engine's planner chooses, with their collections. */
const usedIndexes = new Set<string>();
const noted = new Set<string>();
async function noteEntries(name: string): Promise<void> {
  const all = opened.db.collection<AuditEntryDocument>("auditEntries").find({ traceId: { $exists: true } });
  const fresh = (await all.sort({ _id: 1 }).toArray()).filter(({ _id }) => !noted.has(_id));
  for (const { _id } of fresh) noted.add(_id);
  entriesOf.set(name, shownEntries(fresh));
}

/** The commands that this sends. */
async function sentBy(run: () => Promise<unknown>): Promise<CommandStartedEvent[]> {
  sent = [];
  await run();
  return sent.splice(0);
}

/** Queries that cost more than their index, each with its cost. */
async function costly(commands: readonly CommandStartedEvent[]): Promise<string[]> {
  const shapes = new Map(commands.flatMap(queriesOf).map((query) => [query.shape, query]));
  const found: string[] = [];
  for (const [shape, query] of shapes) {
    const plan = await planInEngine(opened.db, query);
    if (plan.kind === "index") usedIndexes.add(`${query.collection} ${plan.index.name}`);
    const costs = MONGODB_URL
      ? await costsOnMongoDb(opened.db, query)
      : await costsInEngine(opened.db, query);
    if (costs.size > 0 && !(shape in ACCEPTED) && !isOfOneWorkspace(shape, costs))
      found.push(`${[...costs].join(" and ")}: ${shape}`);
  }
  return found;
}

const where = MONGODB_URL ? "on MongoDB" : "in the embedded engine; on MongoDB with MONGODB_URL";

it("covers every function of the store", () => {
  const names = functionsIn({ ...store, forAccount: store.forAccount(accountId) });
  expect(Object.keys(storeCalls).toSorted()).toEqual(names.toSorted());
});

it.each(Object.entries(storeCalls))(
  `%s uses indexes, names the shards of its writes, and its account (${where})`,
  async (name, run) => {
    const commands = await sentBy(() => run(store));
    await noteEntries(name);
    expect(await costly(commands)).toEqual([]);
    expect(unsharded(commands).filter((write) => !(write in WRITTEN_ON_ALL_SHARDS))).toEqual([]);
    expect(onAllShards(commands).filter((shape) => !mayAskAllShards(shape))).toEqual([]);
    if (!name.startsWith("forAccount.")) return;
    expect(commands.length).toBeGreaterThan(0);
    expect(unbound(commands)).toEqual([]);
  },
);

it("has a query for each index that neither expires documents nor refuses duplicates", () => {
  const unused = Object.entries(collections).flatMap(([name, { indexes }]) =>
    indexes
      .filter((index) => index !== ID_ONLY && index.expireAfterSeconds === undefined && !index.unique)
      .map(({ key, name: given = Object.entries(key).flat().join("_") }) => `${name} ${given}`)
      .filter((index) => !usedIndexes.has(index)),
  );
  expect(unused).toEqual([]);
});

it("writes the audit entries of the changes of every function", async () => {
  const lines = [...entriesOf]
    .filter(([, shown]) => shown.length > 0)
    .map(([name, shown]) => [name, ...shown]);
  await expect(`${lines.flat().join("\n")}\n`).toMatchFileSnapshot("./expected/audit-entries.txt");
});

it(`uses indexes to find missing keys (${where})`, async () => {
  expect(await costly(await sentBy(() => missingSecretKeys(opened.db, testSealing)))).toEqual([]);
  expect(await costly(await sentBy(() => hasClearSecrets(opened.db)))).toEqual([]);
});

it(`uses indexes to read the suppression list (${where})`, async () => {
  const options = [opened.db, testSealing, { retentionMs: 1_000_000 }, { exclusive: true }] as const;
  const { suppressions } = createStore(...options).acrossAccounts;
  const commands = await sentBy(() => suppressions.readListed(new AbortController().signal));
  expect(await costly(commands)).toEqual([]);
  expect(commands.flatMap(queriesOf)).toHaveLength(1);
});

it(`reports a query without an index, and a sort without one (${where})`, async () => {
  const messages = opened.db.collection<MessageDocument>("messages");
  const count = () => messages.countDocuments({ nextAttemptAt: { $exists: true } });
  expect(await costly(await sentBy(count))).toEqual([
    'COLLSCAN: aggregate messages {"nextAttemptAt":{"$exists":"?"}}',
  ]);
  const find = () => messages.find({ accountId }).sort({ subject: 1 }).toArray();
  expect(await costly(await sentBy(find))).toEqual([
    'SORT: find messages {"accountId":"?"} by {"subject":1}',
  ]);
});

it("detects a write and a read without a shard key", async () => {
  sent = [];
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
  expect(unsharded(sent)).toHaveLength(isSpoken ? 4 : 2);
  const find = () => opened.db.collection("requests").find({ marks: "a" }).toArray();
  expect(onAllShards(await sentBy(find))).toEqual(['find requests {"marks":"?"}']);
});

it("detects a read or write with another account than its own, or with none", async () => {
  const commands = await sentBy(async () => {
    await opened.db.collection<{ _id: string }>("messages").findOne({ _id: "msg_1" });
    await store.forAccount("acc_other").senders.hasAny(["ada@example.com"]);
  });
  expect(unbound(commands)).toHaveLength(2);
});
