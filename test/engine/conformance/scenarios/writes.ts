import { Binary, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from "mongodb";
import { attempt, attemptCode, type ScenarioGroup } from "../scenario.ts";

/** A document with an _id of any type. */
interface AnyDocument {
  _id: number | string | boolean | object;
}

interface NumberedDocument {
  _id: number;
  [field: string]: unknown;
}

const OID = new ObjectId("65f000000000000000000001");

const EVERY_TYPE = {
  _id: "all",
  double: new Double(1),
  string: "é😀",
  object: { z: 1, a: 2 },
  array: [1, [2], { b: 3 }],
  binary: new Binary(Buffer.from([1, 2, 3])),
  oid: OID,
  yes: true,
  date: new Date(1700000000123),
  nothing: null,
  regex: /a.b/i,
  int: new Int32(7),
  long: Long.fromString("9007199254740993"),
  decimal: Decimal128.fromString("1.10"),
  timestamp: new Timestamp({ t: 1, i: 2 }),
  min: new MinKey(),
  max: new MaxKey(),
  "1": "number-like names keep their place",
};

export const writes: ScenarioGroup = {
  "insert keeps every type": async (db) => {
    await db.collection<{ _id: string; added?: number }>("c").insertOne(EVERY_TYPE);
    return db.collection("c").find().toArray();
  },
  "an update leaves the types of other fields alone": async (db) => {
    await db.collection<{ _id: string; added?: number }>("c").insertOne(EVERY_TYPE);
    await db.collection("c").updateOne({}, { $set: { added: 1 } });
    return db.collection("c").find().toArray();
  },
  "duplicate _id": async (db) => {
    const c = db.collection<AnyDocument>("c");
    await c.insertOne({ _id: "x" });
    return [
      await attempt(() => c.insertOne({ _id: "x" })),
      await attempt(() => c.insertMany([{ _id: 1 }, { _id: "x" }, { _id: 2 }])),
      await attempt(() =>
        c.insertMany([{ _id: 3 }, { _id: "x" }, { _id: new Double(1) }, { _id: 4 }], { ordered: false }),
      ),
      await c.find().sort({ _id: 1 }).toArray(),
    ];
  },
  "ids of all kinds": async (db) => {
    const c = db.collection<AnyDocument>("c");
    const ids = [
      true,
      OID,
      { a: 1 },
      { a: new Double(1), b: 2 },
      new Date(5),
      "",
      0,
      Long.fromNumber(-5),
      new Binary(Buffer.from("x")),
    ];
    const outcome = [];
    for (const _id of ids) outcome.push(await attempt(() => c.insertOne({ _id })));
    outcome.push(await attempt(() => c.insertOne({ _id: { a: new Double(1) } })));
    outcome.push(await attemptCode(() => c.insertOne({ _id: [1] })));
    outcome.push(await attemptCode(() => c.insertOne({ _id: { $a: 1 } })));
    return [outcome, await c.find().sort({ _id: 1 }).toArray()];
  },
  "_id comes first": async (db) => {
    await db.command({ insert: "c", documents: [{ b: 1, _id: 5, a: 2 }] });
    return db.collection("c").find().toArray();
  },
  "update results": async (db) => {
    const c = db.collection<NumberedDocument>("c");
    await c.insertMany([1, 2, 3].map((_id) => ({ _id, a: _id % 2 })));
    return [
      await c.updateOne({ a: 1 }, { $set: { b: 1 } }),
      await c.updateOne({ a: 1 }, { $set: { b: 1 } }),
      await c.updateMany({ a: 1 }, { $set: { b: 1 } }),
      await c.updateMany({}, { $set: { a: new Double(1) } }),
      await c.updateOne({ a: 77 }, { $set: { b: 1 } }),
      await c.updateOne({ _id: 9, a: 5 }, { $set: { b: 2 }, $setOnInsert: { z: 1 } }, { upsert: true }),
      await c.replaceOne({ _id: 1 }, { b: 5 }),
      await c.replaceOne({ _id: 12 }, { b: 5 }, { upsert: true }),
      await attempt(() => c.replaceOne({ _id: 1 }, { _id: 2, b: 5 } as never)),
      await c.find().sort({ _id: 1 }).toArray(),
    ];
  },
  "upserts take their fields from the query": async (db) => {
    const c = db.collection<NumberedDocument>("c");
    const tries = [
      await attempt(() =>
        c.updateOne(
          { _id: 1, "a.b": 2, c: { $in: [3] }, d: { $gt: 4 }, e: { $in: [5] }, $and: [{ f: 6 }] },
          { $set: { g: 7 } },
          { upsert: true },
        ),
      ),
      await attempt(() =>
        c.updateOne({ _id: 2, x: { $in: [1, 2] }, $or: [{ y: 1 }] }, { $inc: { n: 1 } } as object, {
          upsert: true,
        }),
      ),
      await attempt(() => c.updateOne({ _id: 3, a: 1 }, { $set: { a: 2 } }, { upsert: true })),
      await attempt(() => c.updateOne({ a: 1, $and: [{ a: 2 }] }, { $set: { b: 2 } }, { upsert: true })),
      await attempt(() => c.updateOne({ _id: 5 }, { $setOnInsert: { b: 1, a: 2 } }, { upsert: true })),
      await attempt(() => c.updateOne({ _id: 5 }, { $setOnInsert: { b: 9 } }, { upsert: true })),
      await attempt(() => c.updateOne({ _id: { $gt: 100 }, k: 1 }, { $set: { _id: 101 } }, { upsert: true })),
    ];
    // MongoDB takes the fields of the query in an unpredictable order.
    const sorted = (document: object) => Object.fromEntries(Object.entries(document).sort());
    return [tries, (await c.find().sort({ _id: 1 }).toArray()).map(sorted)];
  },
  "bulk write of all kinds": async (db) => {
    const c = db.collection<{ _id: number; a?: number }>("c");
    return [
      await attempt(() =>
        c
          .bulkWrite([
            { insertOne: { document: { _id: 1, a: 1 } } },
            { updateOne: { filter: { _id: 1 }, update: { $inc: { a: 1 } } } },
            { updateOne: { filter: { _id: 2 }, update: { $set: { a: 5 } }, upsert: true } },
            { updateMany: { filter: {}, update: { $inc: { a: 10 } } } },
            { deleteOne: { filter: { _id: 1 } } },
            { replaceOne: { filter: { _id: 2 }, replacement: { a: 100 } } },
          ])
          .then((r) => r.toString()),
      ),
      await attempt(() =>
        c.bulkWrite([{ insertOne: { document: { _id: 2 } } }, { insertOne: { document: { _id: 7 } } }], {
          ordered: false,
        }),
      ),
      await c.find().sort({ _id: 1 }).toArray(),
    ];
  },
  "delete results": async (db) => {
    const c = db.collection<{ _id: number; a: number }>("c");
    await c.insertMany([1, 2, 3, 4].map((_id) => ({ _id, a: _id % 2 })));
    return [
      await c.deleteOne({ a: 1 }),
      await c.deleteMany({ a: 0 }),
      await c.deleteMany({ a: 9 }),
      await attempt(() => c.deleteOne({ $foo: 1 } as never)),
      await c.find().toArray(),
    ];
  },
  findAndModify: async (db) => {
    const c = db.collection<{ _id: number; a: number; b?: number[] }>("c");
    await c.insertMany([1, 2, 3].map((_id) => ({ _id, a: 10 - _id })));
    const full = { includeResultMetadata: true } as const;
    return [
      await c.findOneAndUpdate({ a: { $lt: 8 } }, { $set: { x: 1 } }, full),
      await c.findOneAndUpdate(
        { _id: 1 },
        { $inc: { a: 5 } },
        { returnDocument: "after", projection: { a: 1 }, ...full },
      ),
      await c.findOneAndUpdate({ _id: 99 }, { $inc: { a: 5 } }, full),
      await c.findOneAndUpdate({ _id: 99 }, { $inc: { a: 5 } }, { upsert: true, ...full }),
      await c.findOneAndUpdate(
        { _id: 98 },
        { $inc: { a: 5 } },
        { upsert: true, returnDocument: "after", ...full },
      ),
      await c.findOneAndReplace(
        { _id: 98 },
        { a: 0 },
        { returnDocument: "after", projection: { a: 1 }, ...full },
      ),
      await c.findOneAndDelete({ _id: 98 }, full),
      await c.findOneAndDelete({ _id: 98 }, full),
      await attempt(() => db.command({ findAndModify: "c", query: {} })),
      await attempt(() =>
        db.command({ findAndModify: "c", query: {}, remove: true, update: { $set: { a: 1 } } }),
      ),
      await attempt(() => db.command({ findAndModify: "c", query: {}, remove: true, new: true })),
      await attempt(() => c.findOneAndUpdate({ _id: 1 }, { $set: { _id: 5 } })),
      await c.find().sort({ _id: 1 }).toArray(),
    ];
  },
  "natural order is that of insertion": async (db) => {
    const c = db.collection<{ _id: number; pad?: string }>("c");
    await c.insertMany([5, 3, 9, 1].map((_id) => ({ _id })));
    await c.updateOne({ _id: 3 }, { $set: { pad: "x".repeat(5000) } });
    await c.deleteOne({ _id: 9 });
    await c.insertOne({ _id: 0 });
    return (await c.find().toArray()).map((d) => d._id);
  },
  "refused commands and options": async (db) => [
    await attempt(() => db.command({ nonsense: 1 })),
    await attempt(() => db.command({ insert: "c", documents: [{}], foo: 1 })),
    await attempt(() => db.command({ insert: "c", documents: [] })),
    await attempt(() => db.command({ insert: "c" })),
    await attempt(() => db.command({ insert: "", documents: [{}] })),
    await attempt(() => db.command({ insert: 1, documents: [{}] })),
    await attempt(() => db.command({ insert: "a$b", documents: [{}] })),
    await attempt(() => db.command({ find: "" })),
    await attempt(() => db.command({ find: "c", filter: 1 })),
    await attempt(() => db.command({ find: "c", limit: -1 })),
    await attempt(() => db.command({ find: "c", foo: 1 })),
    await attempt(() => db.command({ update: "c", updates: [{ q: {}, u: { $set: { a: 1 } }, foo: 1 }] })),
    await attempt(() => db.command({ delete: "c", deletes: [{ q: {}, limit: 5 }] })),
    await attempt(() => db.command({ delete: "c", deletes: [{ q: {} }] })),
    await attempt(() => db.command({ getMore: Long.fromNumber(12345), collection: "c" })),
    await attempt(() => db.command({ count: "c", foo: 1 })),
  ],
};
