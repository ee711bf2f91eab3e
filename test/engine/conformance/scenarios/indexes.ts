import { Double, Long } from "mongodb";
import { attempt, attemptCode, type ScenarioGroup } from "../scenario.ts";

export const indexes: ScenarioGroup = {
  "create and list": async (db) => {
    const c = db.collection("c");
    return [
      await attempt(() => c.createIndex({ a: 1 })),
      await attempt(() => c.createIndex({ a: 1, b: -1 }, { name: "named", unique: true })),
      await attempt(() => c.createIndex({ t: 1 }, { expireAfterSeconds: 5 })),
      await attempt(() =>
        c.createIndex({ p: 1 }, { partialFilterExpression: { p: { $exists: true } }, unique: true }),
      ),
      await attempt(() => c.createIndex({ a: 1 })),
      await attempt(() => db.command({ createIndexes: "c", indexes: [{ key: { a: 1 }, name: "a_1" }] })),
      await attempt(() => db.command({ createIndexes: "new", indexes: [{ key: { a: 1 }, name: "a_1" }] })),
      await c.indexes(),
      await attempt(() => c.dropIndex("named")),
      await attempt(() => c.dropIndex("nope")),
      await attempt(() => c.dropIndex("_id_")),
      await attempt(() => c.dropIndexes()),
      await c.indexes(),
      await attempt(() => db.collection("none").indexes()),
      await attempt(() => db.collection("none").dropIndex("x")),
    ];
  },
  conflicts: async (db) => {
    const c = db.collection("c");
    await c.createIndex({ a: 1 });
    await c.createIndex({ e: 1 }, { expireAfterSeconds: 5 });
    return [
      await attemptCode(() => c.createIndex({ a: 1 }, { unique: true })),
      await attemptCode(() => c.createIndex({ a: 1 }, { name: "other" })),
      await attemptCode(() => c.createIndex({ b: 1 }, { name: "a_1" })),
      await attemptCode(() => c.createIndex({ e: 1 }, { expireAfterSeconds: 6 })),
      await attemptCode(() =>
        c.createIndex({ a: 1 }, { partialFilterExpression: { x: 1 }, name: "partial" }),
      ),
      await attemptCode(() => c.createIndex({ a: -1 })),
      await attemptCode(() => c.createIndex({ a: new Double(1) } as never)),
      await attemptCode(() => db.command({ createIndexes: "c", indexes: [{ key: {}, name: "x" }] })),
      await attemptCode(() => db.command({ createIndexes: "c", indexes: [{ key: { a: 0 }, name: "x" }] })),
      await attemptCode(() => db.command({ createIndexes: "c", indexes: [{ key: { a: 1 } }] })),
      await attemptCode(() =>
        db.command({ createIndexes: "c", indexes: [{ key: { q: 1 }, name: "q", foo: 1 }] }),
      ),
      await attemptCode(() => db.command({ createIndexes: "c", indexes: [] })),
      await attemptCode(() => c.createIndex({ x: 1 }, { partialFilterExpression: { y: { $ne: 1 } } })),
      await attemptCode(() =>
        c.createIndex({ x: 1 }, { partialFilterExpression: { y: { $exists: false } } }),
      ),
      await attemptCode(() => c.createIndex({ x: 1, y: 1 }, { expireAfterSeconds: 1 })),
      await attemptCode(() => c.createIndex({ x: 1 }, { expireAfterSeconds: -1 })),
      (await c.indexes()).map(({ name }) => name),
    ];
  },
  unique: async (db) => {
    const c = db.collection<{ _id: number }>("c");
    await c.createIndex({ a: 1 }, { unique: true });
    await c.createIndex({ "b.c": 1, d: -1 }, { unique: true, partialFilterExpression: { d: { $gt: 0 } } });
    const put = (document: object) => attempt(() => c.insertOne(document as never));
    return [
      await put({ _id: 1, a: "x" }),
      await put({ _id: 2, a: "x" }),
      await put({ _id: 3, a: 1 }),
      await put({ _id: 4, a: new Double(1) }),
      await put({ _id: 5 }),
      await put({ _id: 6 }),
      await put({ _id: 7, a: null }),
      await put({ _id: 8, a: [1, 5] }),
      await put({ _id: 9, a: [5, 5, 6] }),
      await put({ _id: 10, a: 6 }),
      await put({ _id: 11, a: "p", b: { c: 1 }, d: 1 }),
      await put({ _id: 12, a: "q", b: { c: 1 }, d: Long.fromNumber(1) }),
      await put({ _id: 13, a: "r", b: { c: 1 }, d: 0 }),
      await put({ _id: 14, a: "s", b: { c: 1 }, d: 0 }),
      await attempt(() => c.updateOne({ _id: 13 }, { $set: { d: 1 } })),
      await attempt(() => c.updateOne({ _id: 3 }, { $set: { a: "x" } })),
      await attempt(() => c.updateMany({}, { $set: { a: "same" } })),
      await attempt(() => c.findOneAndUpdate({ _id: 11 }, { $set: { a: "same" } })),
      await attempt(() => c.updateOne({ _id: 500 }, { $set: { a: "same" } }, { upsert: true })),
      await attempt(() =>
        c.insertMany(
          [
            { _id: 20, a: "t" },
            { _id: 21, a: "same" },
            { _id: 22, a: "u" },
          ] as never,
          { ordered: false },
        ),
      ),
      await attempt(() =>
        c.bulkWrite(
          [
            { updateOne: { filter: { _id: 20 }, update: { $set: { a: "same" } } } },
            { updateOne: { filter: { _id: 22 }, update: { $set: { a: "v" } } } },
          ],
          { ordered: false },
        ),
      ),
      await c.find().sort({ _id: 1 }).toArray(),
    ];
  },
  "duplicate key messages": async (db) => {
    const c = db.collection<{ _id: number }>("c");
    await c.createIndex({ k: 1 }, { unique: true });
    const values = [
      "plain",
      'quo"te',
      new Date(1700000000000),
      true,
      null,
      { a: 1, b: "x" },
      new Double(1.5),
      new Double(2),
      Long.fromNumber(12345678901),
    ];
    const results = [];
    for (const [at, k] of values.entries()) {
      await c.insertOne({ _id: at * 2, k } as never);
      results.push(await attempt(() => c.insertOne({ _id: at * 2 + 1, k } as never)));
    }
    return results;
  },
  "building on duplicates": async (db) => {
    const c = db.collection<{ _id: number; a: number }>("c");
    await c.insertMany([
      { _id: 1, a: 1 },
      { _id: 2, a: 1 },
    ]);
    return [
      await attemptCode(() => c.createIndex({ a: 1 }, { unique: true })),
      (await c.indexes()).length,
      await attempt(() => c.createIndex({ a: 1 })),
    ];
  },
  "parallel arrays": async (db) => {
    const c = db.collection<{ _id: number }>("c");
    await c.createIndex({ a: 1, b: 1 });
    return [
      await attemptCode(() => c.insertOne({ _id: 1, a: [1], b: [2] } as never)),
      await attemptCode(() => c.insertOne({ _id: 2, a: [1, 2], b: 3 } as never)),
      await c.countDocuments(),
    ];
  },
  multikey: async (db) => {
    const c = db.collection<{ _id: number }>("c");
    await c.createIndex({ "l.p": 1, "l.q": 1 });
    await c.createIndex({ t: 1 });
    await c.insertMany([
      {
        _id: 1,
        t: ["a", "b"],
        l: [
          { p: 1, q: 9 },
          { p: 9, q: 2 },
        ],
      },
      { _id: 2, t: [], l: [] },
      { _id: 3, t: "a", l: { p: 1, q: 2 } },
      { _id: 4 },
      { _id: 5, t: [["a"]], l: [5, { p: 1 }] },
    ] as never);
    const ids = async (filter: object, sort: object = { _id: 1 }) =>
      (
        await c
          .find(filter)
          .sort(sort as never)
          .toArray()
      ).map((d) => d._id);
    return [
      await ids({ "l.p": 1, "l.q": 2 }),
      await ids({ "l.p": 1 }),
      await ids({ "l.p": null }),
      await ids({ t: "a" }),
      await ids({ t: { $gt: "a", $lt: "b" } }),
      await ids({ t: { $in: ["a", "b"] } }),
      await ids({ t: [] }),
      await ids({ t: null }),
      await ids({ t: ["a"] }),
      await ids({}, { t: 1, _id: 1 }),
      await ids({}, { t: -1, _id: 1 }),
      await ids({ t: { $gte: "a" } }, { t: -1, _id: 1 }),
      await c.countDocuments({ t: { $gte: "a" } }),
    ].map((each) => JSON.stringify(each));
  },
  collections: async (db) => {
    await db.collection("one").createIndex({ a: 1 });
    await db.collection("two").insertOne({});
    const names = async (filter?: object) =>
      (await db.listCollections(filter, { nameOnly: true }).toArray()).sort((a, b) =>
        a.name.localeCompare(b.name),
      );
    return [
      await names(),
      await names({ name: "two" }),
      await attempt(() => db.collection("one").drop()),
      await attempt(() => db.command({ drop: "one" })),
      await attempt(() => db.command({ dropDatabase: 1 })),
      await names(),
    ];
  },
};
