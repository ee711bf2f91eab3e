import { Decimal128, type Document, MongoClient, MongoServerError, Timestamp } from "mongodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningEngine, startEngine } from "./harness.ts";

/** Names that MongoDB supports and the engine does not, by their place in a command. */
const GONE: Readonly<Record<string, { command: (name: string) => Document; names: readonly string[] }>> = {
  command: {
    command: (name) => ({ [name]: "c" }),
    names: ["buildInfo", "create", "distinct", "explain", "mapReduce", "renameCollection", "collStats"],
  },
  "option of find": {
    command: (name) => ({ find: "c", [name]: {} }),
    names: ["hint", "collation", "min", "let", "maxTimeMS", "tailable", "allowDiskUse", "comment"],
  },
  "option of update": {
    command: (name) => ({ update: "c", updates: [{ q: {}, u: { $set: { a: 1 } }, [name]: {} }] }),
    names: ["arrayFilters", "collation", "hint", "c", "sort"],
  },
  "option of delete": {
    command: (name) => ({ delete: "c", deletes: [{ q: {}, limit: 0, [name]: {} }] }),
    names: ["collation", "hint"],
  },
  "option of findAndModify": {
    command: (name) => ({ findAndModify: "c", query: {}, remove: true, [name]: {} }),
    names: ["sort", "arrayFilters", "collation", "hint", "let", "bypassDocumentValidation"],
  },
  "option of insert": {
    command: (name) => ({ insert: "c", documents: [{ a: 1 }], [name]: true }),
    names: ["bypassDocumentValidation", "comment"],
  },
  "option of count": {
    command: (name) => ({ count: "c", [name]: {} }),
    names: ["query", "limit", "skip", "hint"],
  },
  "option of an index": {
    command: (name) => ({ createIndexes: "c", indexes: [{ key: { a: 1 }, name: "a", [name]: true }] }),
    names: ["sparse", "collation", "hidden", "wildcardProjection", "weights", "background"],
  },
  "operator on a field": {
    command: (name) => ({ find: "c", filter: { a: { [name]: 1 } } }),
    names: ["$eq", "$nin", "$regex", "$options", "$elemMatch", "$all", "$size", "$type", "$mod", "$near"],
  },
  "operator beside fields": {
    command: (name) => ({ find: "c", filter: { [name]: [{ a: 1 }] } }),
    names: ["$nor", "$where", "$text", "$comment", "$jsonSchema", "$alwaysTrue"],
  },
  "operator of an update": {
    command: (name) => ({ update: "c", updates: [{ q: {}, u: { [name]: { a: 1 } } }] }),
    names: ["$push", "$pull", "$pullAll", "$addToSet", "$pop", "$rename", "$mul", "$bit", "$currentDate"],
  },
  "stage of an update": {
    command: (name) => ({ findAndModify: "c", query: {}, update: [{ [name]: { a: 1 } }] }),
    names: ["$unset", "$project", "$replaceWith", "$addFields", "$match"],
  },
  "stage of an aggregation": {
    command: (name) => ({ aggregate: "c", pipeline: [{ [name]: 1 }], cursor: {} }),
    names: ["$lookup", "$out", "$merge", "$project", "$sort", "$skip", "$unwind", "$count", "$changeStream"],
  },
  "operator of an expression": {
    command: (name) => ({ find: "c", filter: { $expr: { [name]: ["$a", 1] } } }),
    names: ["$ne", "$subtract", "$concat", "$map", "$dateTrunc", "$type", "$switch", "$ifNull"],
  },
  "operator of a projection": {
    command: (name) => ({ find: "c", projection: { a: { [name]: 1 } } }),
    names: ["$slice", "$elemMatch", "$meta", "$toUpper"],
  },
};

describe("the embedded engine", () => {
  let engine: RunningEngine;
  let client: MongoClient;
  beforeAll(async () => {
    engine = await startEngine();
    client = new MongoClient(engine.url);
    await client
      .db("t")
      .collection("c")
      .insertOne({ a: "A", n: 1, l: [1, { k: 1 }] });
  });
  afterAll(async () => {
    await client.close();
    await engine.close();
  });

  /** The error of a command, as a whole or of its first statement; undefined: it succeeds. */
  async function refusal(command: Document): Promise<{ code: unknown; message: unknown } | undefined> {
    try {
      const { writeErrors: [first] = [] } = await client.db("t").command(command);
      return first && { code: first.code, message: first.errmsg };
    } catch (error) {
      if (!(error instanceof MongoServerError)) throw error;
      return { code: error.code, message: error.message };
    }
  }

  // The tests in conformance/ compare MongoDB's reply to an unknown name.
  it.each(Object.entries(GONE))("refuses an unsupported %s like an unknown one", async (_, gone) => {
    const unknown = await refusal(gone.command("$foo"));
    expect(unknown).toMatchObject({ code: expect.any(Number), message: expect.stringContaining("$foo") });
    for (const name of gone.names) {
      const message = String(unknown?.message).replaceAll("$foo", name);
      expect({ name, ...(await refusal(gone.command(name))) }).toEqual({ name, ...unknown, message });
    }
  });

  const count = (...stages: Document[]) => ({ aggregate: "c", pipeline: stages, cursor: {} });
  const update = (u: unknown) => ({ update: "c", updates: [{ q: {}, u }] });
  const index = (key: Document) => ({ createIndexes: "c", indexes: [{ key, name: "x" }] });
  const group = (fields: Document) => ({ $group: fields });

  it.each<[string, Document]>([
    ["a group that does not count", count(group({ _id: "$a", n: { $sum: 1 } }))],
    ["a group that adds", count(group({ _id: 1, n: { $sum: "$n" } }))],
    ["a pipeline without a group", count({ $match: { a: 1 } })],
    ["a pipeline in another order", count({ $limit: 1 }, { $match: {} }, group({ _id: 1, n: { $sum: 1 } }))],
    ["a regular expression", { find: "c", filter: { a: /^A/ } }],
    ["one among several values", { find: "c", filter: { a: { $in: ["A", /^A/] } } }],
    [
      "a value whose order it does not know",
      { find: "c", filter: { a: { $lt: Decimal128.fromString("1") } } },
    ],
    ["one that is equal", { find: "c", filter: { a: new Timestamp(1n) } }],
    ["a position in an array", update({ $set: { "l.0": 1 } })],
    ["one below it", update({ $set: { "l.1.k": 1 } })],
    ["the position that was found", update({ $set: { "l.$": 1 } })],
    ["all positions", update({ $inc: { "l.$[].k": 1 } })],
    ["an object as an expression", update([{ $set: { a: { b: 1 } } }])],
    ["an array as an expression", update([{ $set: { a: ["$n"] } }])],
    ["a path in a pipeline", update([{ $set: { "a.b": 1 } }])],
    ["part of a field that a projection keeps", { find: "c", projection: { "l.k": 1 } }],
    ["part of an _id in a projection", { find: "c", projection: { "_id.k": 0 } }],
    ["a position in a projection", { find: "c", projection: { "l.$": 0 } }],
    ["a path without a name in a projection", { find: "c", projection: { "l..k": 0 } }],
    ["an _id that is computed", { find: "c", projection: { _id: "$a" } }],
    ["an index of text", index({ a: "text" })],
    ["an index of every field", index({ "$**": 1 })],
  ])("reports that it does not have %s", async (_, command) => {
    expect(await refusal(command)).toMatchObject({
      code: 238,
      message: expect.stringMatching(/ is not supported by the embedded engine$/),
    });
  });

  it("has not changed anything that it refused", async () => {
    const stored = await client
      .db("t")
      .collection("c")
      .findOne({}, { projection: { _id: 0 } });
    expect(stored).toEqual({ a: "A", n: 1, l: [1, { k: 1 }] });
  });
});
