import {
  type AnyClientBulkWriteModel,
  type Db,
  type Document,
  MongoClient,
  MongoClientBulkWriteError,
} from "mongodb";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type RunningEngine, rawCommand, startEngine } from "./harness.ts";

let engine: RunningEngine;
let client: MongoClient;
let db: Db;

beforeAll(async () => {
  engine = await startEngine();
  client = await MongoClient.connect(engine.url);
  db = client.db("bulk");
});
afterAll(async () => {
  await client.close();
  await engine.close();
});
beforeEach(() => db.dropDatabase());

const insert = (collection: string, document: object) => ({
  name: "insertOne" as const,
  namespace: `bulk.${collection}`,
  document,
});
const ids = async (collection: string) =>
  (await db.collection(collection).find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id as unknown);

async function refusal(models: readonly AnyClientBulkWriteModel<Document>[], ordered = true) {
  const error = await client.bulkWrite(models, { ordered }).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(MongoClientBulkWriteError);
  return [...(error as MongoClientBulkWriteError).writeErrors].map(([place, { code }]) => [place, code]);
}

it("inserts into several collections, in the given order", async () => {
  const document = { _id: "a" as never, list: [1, { deep: "x" }], at: new Date(5) };
  const result = await client.bulkWrite(
    [insert("bodies", document), insert("batches", { n: 1 }), insert("messages", { _id: "m" })],
    { verboseResults: true },
  );
  expect([result.insertedCount, result.insertResults?.size]).toEqual([3, 3]);
  expect(await db.collection("bodies").findOne()).toEqual(document);
  expect(await db.collection("batches").countDocuments()).toBe(1);
});

it("ends at the first refused one, and keeps the ones before it", async () => {
  await db.collection<{ _id: string }>("messages").insertOne({ _id: "b" });
  const models = [
    insert("bodies", { _id: "a" }),
    ...["a", "b", "c"].map((_id) => insert("messages", { _id })),
  ];
  expect(await refusal(models)).toEqual([[2, 11000]]);
  expect([await ids("bodies"), await ids("messages")]).toEqual([["a"], ["a", "b"]]);
});

it("continues after a refused one if no order is required", async () => {
  const models = ["a", "a", "b", "b"].map((_id) => insert("messages", { _id }));
  expect(await refusal(models, false)).toEqual([
    [1, 11000],
    [3, 11000],
  ]);
  expect(await ids("messages")).toEqual(["a", "b"]);
});

const update = (collection: string, filter: object, changes: object) => ({
  name: "updateOne" as const,
  namespace: `bulk.${collection}`,
  filter,
  update: changes,
});

it("updates after its inserts, and returns the numbers of found and changed ones", async () => {
  const models: AnyClientBulkWriteModel<Document>[] = [
    insert("events", { _id: "e" }),
    ...["a", "b"].map((_id) => insert("messages", { _id, n: 0 })),
    update("messages", { _id: "a", n: 0 }, { $set: { n: 1 }, $unset: { m: "" } }),
    update("messages", { _id: "b", n: { $not: { $gt: 0 } } }, { $set: { n: 0 } }),
    update("messages", { _id: "c" }, { $set: { n: 1 } }),
    update("nothing", {}, { $set: { n: 1 } }),
    update("messages", { _id: "a" }, [{ $set: { m: { $literal: 4 } } }]),
    { ...update("messages", { n: { $gte: 0 } }, { $inc: { n: 10 } }), name: "updateMany" as const },
    {
      name: "replaceOne" as const,
      namespace: "bulk.messages",
      filter: { _id: "b" as never },
      replacement: { x: 1 },
    },
  ];
  const result = await client.bulkWrite(models, { verboseResults: true });
  expect(result).toMatchObject({ insertedCount: 3, matchedCount: 6, modifiedCount: 5 });
  expect([...(result.updateResults ?? [])]).toEqual([
    [3, { matchedCount: 1, modifiedCount: 1, didUpsert: false }],
    [4, { matchedCount: 1, modifiedCount: 0, didUpsert: false }],
    [5, { matchedCount: 0, modifiedCount: 0, didUpsert: false }],
    [6, { matchedCount: 0, modifiedCount: 0, didUpsert: false }],
    [7, { matchedCount: 1, modifiedCount: 1, didUpsert: false }],
    [8, { matchedCount: 2, modifiedCount: 2, didUpsert: false }],
    [9, { matchedCount: 1, modifiedCount: 1, didUpsert: false }],
  ]);
  expect(await db.collection("messages").find().sort({ _id: 1 }).toArray()).toEqual([
    { _id: "a", n: 11, m: 4 },
    { _id: "b", x: 1 },
  ]);
  expect((await db.listCollections().toArray()).map(({ name }) => name).sort()).toEqual([
    "events",
    "messages",
  ]);
});

it("updates nothing after a refused one, and returns the number found before it", async () => {
  await db.collection<{ _id: string; n: number }>("messages").insertMany([
    { _id: "a", n: 0 },
    { _id: "b", n: 0 },
  ]);
  await db
    .collection("messages")
    .createIndex({ key: 1 }, { unique: true, partialFilterExpression: { key: { $exists: true } } });
  const models = [
    update("messages", { _id: "a" }, { $set: { key: 1 } }),
    update("messages", { _id: "b" }, { $set: { key: 1 } }),
    update("messages", { _id: "a" }, { $set: { n: 5 } }),
  ];
  const error = (await client.bulkWrite(models).catch((thrown) => thrown)) as MongoClientBulkWriteError;
  expect([
    [...error.writeErrors].map(([place, { code }]) => [place, code]),
    error.partialResult?.matchedCount,
  ]).toEqual([[[1, 11000]], 1]);
  expect(await db.collection("messages").countDocuments({ n: 5 })).toBe(0);
  expect(
    await refusal([insert("messages", { _id: "a" }), update("messages", { _id: "b" }, { $set: { n: 5 } })]),
  ).toEqual([[0, 11000]]);
  expect(await db.collection("messages").countDocuments({ n: 5 })).toBe(0);
  const others = await client.bulkWrite(models, { ordered: false }).catch((thrown) => thrown);
  expect(others).toBeInstanceOf(MongoClientBulkWriteError);
  expect(await db.collection("messages").countDocuments({ n: 5 })).toBe(1);
});

it.each([
  [{ $set: { _id: "z" } }, 66],
  [{ $nothing: { n: 1 } }, 9],
])("refuses the update %j, like a single command", async (changes, code) => {
  await db.collection<{ _id: string }>("messages").insertOne({ _id: "a" });
  expect(await refusal([update("messages", { _id: "a" }, changes)])).toEqual([[0, code]]);
  const alone = await db
    .collection("messages")
    .updateOne({}, changes)
    .catch((thrown) => thrown);
  expect(alone).toMatchObject({ code });
});

it("respects unique indexes", async () => {
  await db.collection("messages").createIndex({ key: 1 }, { unique: true });
  expect(await refusal([insert("messages", { key: 1 }), insert("messages", { key: 1 })])).toEqual([
    [1, 11000],
  ]);
});

const asked = (changes: object) => ({
  bulkWrite: 1,
  nsInfo: [{ ns: "bulk.messages" }],
  $db: "admin",
  ops: [{ insert: 0, document: { _id: "a" } }],
  ...changes,
});

it("accepts commands without a sequence of documents", async () => {
  expect(await rawCommand(engine.url, asked({}))).toMatchObject({ ok: 1, nInserted: 1, nErrors: 0 });
  expect(await ids("messages")).toEqual(["a"]);
});

it("runs a repeated driver command once", async () => {
  const lsid = { id: Buffer.alloc(16, 7) };
  const ops = [
    { insert: 0, document: { _id: "a" } },
    { update: 0, filter: { _id: "a" }, updateMods: { $inc: { n: 1 } }, multi: false },
  ];
  const command = asked({ lsid, txnNumber: 1n, ops });
  const replies = [await rawCommand(engine.url, command), await rawCommand(engine.url, command)];
  const once = { nInserted: 1, nMatched: 1, nModified: 1 };
  expect(replies).toMatchObject([once, once]);
  expect(await db.collection("messages").find().toArray()).toEqual([{ _id: "a", n: 1 }]);
});

it.each([
  [{ $db: "bulk" }, 13],
  [{ ops: [] }, 16],
  [{ ops: [{ insert: 1, document: {} }] }, 2],
  [{ ops: [{ insert: 0, document: 5 }] }, 14],
  [{ ops: [{ insert: 0 }] }, 14],
  [{ ops: [{ document: {} }] }, 40414],
  [{ ops: [7] }, 14],
  [{ ops: [{ delete: 0, filter: {} }] }, 40415],
  [{ ops: [{ update: 0, filter: {}, updateMods: {}, hint: "_id_" }] }, 40415],
  [{ ops: [{ update: 0, filter: {}, updateMods: {}, upsert: true }] }, 40415],
  [{ ops: [{ update: 0, filter: {} }] }, 40414],
  [{ ops: [{ update: 0, updateMods: {} }] }, 14],
  [{ ops: [{ update: 0, filter: 5, updateMods: {} }] }, 14],
  [{ ops: [{ update: 3, filter: {}, updateMods: {} }] }, 2],
  [{ nsInfo: [{ ns: "nowhere" }] }, 73],
  [{ nsInfo: [{ ns: "bulk.$cmd" }] }, 73],
  [{ nsInfo: [{}] }, 14],
  [{ nsInfo: undefined }, 40414],
  [{ let: {} }, 40415],
])("refuses %j, and changes nothing", async (changes, code) => {
  const { ok, code: answered } = await rawCommand(engine.url, asked(changes));
  expect([ok, answered]).toEqual([0, code]);
  expect(await ids("messages")).toEqual([]);
});
