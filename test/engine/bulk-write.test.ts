import { type Db, MongoClient, MongoClientBulkWriteError } from "mongodb";
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

async function refusal(models: readonly ReturnType<typeof insert>[], ordered = true) {
  const error = await client.bulkWrite(models, { ordered }).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(MongoClientBulkWriteError);
  return [...(error as MongoClientBulkWriteError).writeErrors].map(([place, { code }]) => [place, code]);
}

it("inserts into several collections, as they are given", async () => {
  const document = { _id: "a" as never, list: [1, { deep: "x" }], at: new Date(5) };
  const result = await client.bulkWrite(
    [insert("bodies", document), insert("batches", { n: 1 }), insert("messages", { _id: "m" })],
    { verboseResults: true },
  );
  expect([result.insertedCount, result.insertResults?.size]).toEqual([3, 3]);
  expect(await db.collection("bodies").findOne()).toEqual(document);
  expect(await db.collection("batches").countDocuments()).toBe(1);
});

it("ends at the first that is refused, and what stands before it stays", async () => {
  await db.collection<{ _id: string }>("messages").insertOne({ _id: "b" });
  const models = [
    insert("bodies", { _id: "a" }),
    ...["a", "b", "c"].map((_id) => insert("messages", { _id })),
  ];
  expect(await refusal(models)).toEqual([[2, 11000]]);
  expect([await ids("bodies"), await ids("messages")]).toEqual([["a"], ["a", "b"]]);
});

it("goes on behind what is refused where no order is wanted", async () => {
  const models = ["a", "a", "b", "b"].map((_id) => insert("messages", { _id }));
  expect(await refusal(models, false)).toEqual([
    [1, 11000],
    [3, 11000],
  ]);
  expect(await ids("messages")).toEqual(["a", "b"]);
});

it("holds to unique indexes", async () => {
  await db.collection("messages").createIndex({ key: 1 }, { unique: true });
  expect(await refusal([insert("messages", { key: 1 }), insert("messages", { key: 1 })])).toEqual([
    [1, 11000],
  ]);
});

const asked = (changes: object) => ({
  ...{ bulkWrite: 1, nsInfo: [{ ns: "bulk.messages" }], $db: "admin" },
  ops: [{ insert: 0, document: { _id: "a" } }],
  ...changes,
});

it("takes what it is sent without a sequence of documents", async () => {
  expect(await rawCommand(engine.url, asked({}))).toMatchObject({ ok: 1, nInserted: 1, nErrors: 0 });
  expect(await ids("messages")).toEqual(["a"]);
});

it("does once what a driver sends again", async () => {
  const lsid = { id: Buffer.alloc(16, 7) };
  const command = asked({ lsid, txnNumber: 1n, ops: [{ insert: 0, document: { _id: "a" } }] });
  const replies = [await rawCommand(engine.url, command), await rawCommand(engine.url, command)];
  expect(replies).toMatchObject([{ nInserted: 1 }, { nInserted: 1 }]);
  expect(await ids("messages")).toEqual(["a"]);
});

it.each([
  [{ $db: "bulk" }, 13],
  [{ ops: [] }, 16],
  [{ ops: [{ insert: 1, document: {} }] }, 2],
  [{ ops: [{ insert: 0, document: 5 }] }, 14],
  [{ ops: [{ insert: 0 }] }, 14],
  [{ ops: [{ document: {} }] }, 40414],
  [{ ops: [7] }, 14],
  [{ ops: [{ update: 0, filter: {}, updateMods: {} }] }, 40415],
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
