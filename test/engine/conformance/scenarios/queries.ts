import { Binary, type Collection, type Db, Double, Int32, Long, ObjectId } from "mongodb";
import { attempt, type ScenarioGroup } from "../scenario.ts";

const MIXED: unknown[] = [
  null,
  new Int32(-3),
  new Double(-2.5),
  Long.fromNumber(0),
  new Double(Number.NaN),
  new Int32(1),
  new Double(1),
  Long.fromNumber(1),
  new Double(1.5),
  new Double(0.1),
  Long.fromString("9007199254740993"),
  Long.fromString("-9007199254740993"),
  new Double(9007199254740992),
  new Double(Number.POSITIVE_INFINITY),
  "",
  "A",
  "a",
  "ab",
  "é",
  "😀",
  "\uffee",
  {},
  { a: 1 },
  { a: 2 },
  { b: 0 },
  { a: 1, b: 1 },
  [],
  [1],
  [1, 2],
  [[1]],
  ["x", 5],
  [null],
  [{ a: 1 }],
  new Binary(Buffer.from("a")),
  new Binary(Buffer.from("bb")),
  new ObjectId("65f000000000000000000001"),
  false,
  true,
  new Date(-1),
  new Date(0),
  new Date(1700000000000),
];

const FILTERS: object[] = [
  {},
  { v: null },
  { v: { $exists: true } },
  { v: { $exists: false } },
  { v: 1 },
  { v: { $ne: 1 } },
  { v: { $gt: 1 } },
  { v: { $gte: 1 } },
  { v: { $lt: 1 } },
  { v: { $lte: 1 } },
  { v: { $gt: 0, $lt: 2 } },
  { v: { $gt: "a" } },
  { v: { $lte: "a" } },
  { v: "" },
  { v: "😀" },
  { v: { $gt: "é" } },
  { v: { $in: [1, "a", null] } },
  { v: { $not: { $in: [1, "a", null] } } },
  { v: { $in: [] } },
  { v: [] },
  { v: [1] },
  { v: [1, 2] },
  { v: {} },
  { v: { a: 1 } },
  { "v.a": 1 },
  { "v.a": null },
  { "v.a": { $exists: true } },
  { "v.0": 1 },
  { "v.0": null },
  { "v.0.a": 1 },
  { v: { $gt: { a: 1 } } },
  { v: { $lt: [1, 2] } },
  { v: { $gte: [] } },
  { v: true },
  { v: { $gte: false } },
  { v: { $gt: null } },
  { v: { $gte: null } },
  { v: { $lte: null } },
  { v: new Date(0) },
  { v: { $lt: new Date(5) } },
  { v: new ObjectId("65f000000000000000000001") },
  { v: Number.NaN },
  { v: { $gte: Number.NaN } },
  { v: { $lt: Number.NaN } },
  { v: { $lt: Number.POSITIVE_INFINITY } },
  { v: { $not: { $gt: 1 } } },
  { v: { $not: { $gt: 1, $lt: 3 } } },
  { $or: [{ v: 1 }, { v: "a" }] },
  { $and: [{ v: { $gt: 0 } }, { v: { $lt: 2 } }] },
  { v: new Binary(Buffer.from("a")) },
  { v: new Double(0.1) },
  { v: Long.fromString("9007199254740993") },
  { v: { $gt: new Double(9007199254740992) } },
  { v: { $lt: new Double(-9007199254740992) } },
  { v: { $in: [[1], []] } },
  { v: { $ne: null } },
  { $expr: { $gt: ["$v", 1] } },
  { $expr: { $eq: ["$v", null] } },
];

const BAD_FILTERS: object[] = [
  { v: { $foo: 1 } },
  { $foo: 1 },
  { $and: [] },
  { $or: 5 },
  { $or: [5] },
  { v: { $in: 5 } },
  { v: { $in: [{ $gt: 1 }] } },
  { v: { $not: 5 } },
  { v: { $not: {} } },
  { v: { $gt: 1, x: 1 } },
];

const DOCUMENTS = [
  { _id: 1, a: 1, b: { x: 1, y: [1, 2] }, l: [{ p: 1, q: 2 }, { p: 3 }, 5], s: "one" },
  { _id: 2, a: 2, b: { x: null }, l: [], s: "two" },
  { _id: 3, b: 7, l: 3 },
  // Arrays in arrays, empty objects, and a path that ends before its end.
  { _id: 4, n: { o: [[{ p: 1, q: 2, r: 3 }, 4], { p: 5 }, {}], k: 1 }, l: [[{ p: 1 }], { 0: 1, q: null }] },
  { _id: 5, n: [{ o: { p: { q: 1 }, r: 2 } }, { o: 3, k: "k" }], s: { t: { u: 1 }, v: [] } },
];

const PROJECTIONS: object[] = [
  {},
  { a: 1 },
  { a: 0 },
  { _id: 0 },
  { _id: 1 },
  { a: 1, _id: 0 },
  { a: 0, _id: 1 },
  { a: 0, _id: 0 },
  { nope: 1 },
  { s: true, a: true },
  { a: false },
  { z: "$a" },
  { a: 1, z: { $add: ["$a", 1] } },
  { b: { $gt: ["$a", 1] }, _id: 0 },
  { a: 1, b: 0 },
  { b: 0, a: 1 },
  { b: 1, a: 1 },
  { z: { $foo: 1 } },
  { a: "lit" },
  { "b.x": 0 },
  { "l.p": 0 },
  { "l.p": false, "b.y": 0, _id: 0 },
  { "n.o.p": 0, "n.o.q": 0, "n.k": 0, s: 0 },
  { "b.y.0": 0 },
  { "l.0": 0 },
  { "s.t": 0 },
  { "nope.a": 0, _id: 1 },
  { b: 0, "b.x": 0 },
  { "b.x": 0, b: 0 },
  { "n.o": 0, "n.o.p.q": 0 },
  { "n.o.p.q": 0, "n.o": 0 },
  { a: 1, "b.x": 0 },
  { "b.x": 0, a: 1 },
];

const SORTS: object[] = [{ v: 1 }, { v: -1 }, { v: 1, _id: -1 }, { "v.a": 1 }];

type Numbered = Collection<{ _id: number }>;

/** A document for each value, and one without. */
async function insertMixed(db: Db): Promise<Numbered> {
  const c: Numbered = db.collection("c");
  await c.insertMany([...MIXED.map((v, _id) => ({ _id, v })), { _id: 1000 }]);
  return c;
}

/** The ids of the found documents. */
function idsOf(c: Numbered, filter: object, sort: object = {}): Promise<number[]> {
  const found = c.find(filter).sort({ ...sort, _id: 1 });
  return found
    .project<{ _id: number }>({ _id: 1 })
    .map(({ _id }) => _id)
    .toArray();
}

/** Results of each filter, as text. */
function filtered(c: Numbered): Promise<string[]> {
  return inTurn(FILTERS, async (filter) => JSON.stringify(await attempt(() => idsOf(c, filter))));
}

async function inTurn<T, R>(items: readonly T[], ask: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await ask(item));
  return results;
}

export const queries: ScenarioGroup = {
  "filters over values of all types": async (db) => {
    return filtered(await insertMixed(db));
  },
  "the same over an index": async (db) => {
    await db.collection("c").createIndex({ v: 1 });
    return filtered(await insertMixed(db));
  },
  "order of values of all types": async (db) => {
    const c = await insertMixed(db);
    return inTurn(SORTS, async (sort) => JSON.stringify(await idsOf(c, {}, sort)));
  },
  "filters that are refused": async (db) => {
    await db.collection("c").insertOne({ v: 1 });
    return inTurn(BAD_FILTERS, async (filter) => [
      JSON.stringify(filter),
      await attempt(() => db.collection("c").find(filter).toArray()),
    ]);
  },
  projections: async (db) => {
    const c = db.collection<{ _id: number }>("c");
    await c.insertMany(DOCUMENTS);
    return inTurn(PROJECTIONS, async (projection) => [
      JSON.stringify(projection),
      await attempt(() => c.find().sort({ _id: 1 }).project(projection).toArray()),
    ]);
  },
  "sort, skip, limit": async (db) => {
    const c = db.collection<{ _id: number; a: number; b: number }>("c");
    await c.insertMany(Array.from({ length: 20 }, (_, _id) => ({ _id, a: _id % 3, b: -_id })));
    const ids = async (index?: Record<string, 1 | -1>) => {
      if (index !== undefined) await c.createIndex(index);
      return [
        (await c.find().sort({ a: 1, b: 1 }).skip(3).limit(5).toArray()).map((d) => d._id),
        (await c.find().sort({ a: -1, b: 1 }).limit(4).toArray()).map((d) => d._id),
        (await c.find({ a: 1 }).sort({ b: -1 }).limit(-3).toArray()).map((d) => d._id),
        (
          await c
            .find({ a: { $in: [0, 2] } })
            .sort({ b: 1 })
            .limit(4)
            .toArray()
        ).map((d) => d._id),
        (
          await c
            .find({ a: { $gte: 1 } })
            .sort({ a: -1, b: -1 })
            .toArray()
        ).map((d) => d._id),
      ];
    };
    return [await ids(), await ids({ a: 1, b: 1 }), await ids({ a: -1, b: 1 })].map((each) =>
      JSON.stringify(each),
    );
  },
  "sorts that are refused": async (db) => {
    await db.collection("c").insertOne({ v: 1 });
    return [
      await attempt(() => db.command({ find: "c", sort: { a: 0 } })),
      await attempt(() => db.command({ find: "c", sort: { a: "x" } })),
      await attempt(() => db.command({ find: "c", sort: 1 })),
      await attempt(() => db.command({ find: "c", projection: 5 })),
    ];
  },
  counts: async (db) => {
    const c = db.collection<{ _id: number; a?: unknown }>("c");
    await c.insertMany([1, 2, 2, "x", [2, 3], null, { k: 1 }, new Double(1)].map((a, _id) => ({ _id, a })));
    await c.insertOne({ _id: 99 });
    return [
      await c.countDocuments({ a: 2 }),
      await c.countDocuments({ a: 2 }, { limit: 2 }),
      await c.countDocuments({ a: "none" }),
      await c.countDocuments(),
      await db.collection("none").countDocuments(),
      await c.estimatedDocumentCount(),
      await db.command({ count: "c" }),
      await db.command({ count: "none" }),
      await attempt(() => c.aggregate([{ $foo: 1 }]).toArray()),
      await attempt(() => c.aggregate([{ $match: 1 }]).toArray()),
      await attempt(() => c.aggregate([{ $a: 1, $b: 2 } as object]).toArray()),
      await attempt(() => db.command({ aggregate: "c", pipeline: [{ $match: {} }], cursor: { foo: 1 } })),
    ];
  },
  batches: async (db) => {
    const c = db.collection<{ _id: number }>("c");
    await c.insertMany(Array.from({ length: 250 }, (_, _id) => ({ _id })));
    const first = await db.command({ find: "c", filter: {}, batchSize: 3 });
    const id = first.cursor.id;
    const second = await db.command({ getMore: id, collection: "c", batchSize: 2 });
    const killed = await db.command({ killCursors: "c", cursors: [id] });
    return [
      first.cursor.firstBatch,
      first.cursor.ns,
      second.cursor.nextBatch,
      killed.cursorsKilled.length,
      killed.ok,
      ((await attempt(() => db.command({ getMore: id, collection: "c" }))) as { code: number }).code,
      (await db.command({ find: "c", filter: {}, batchSize: 3, singleBatch: true })).cursor,
      (await db.command({ find: "c" })).cursor.firstBatch.length,
      (await db.command({ find: "none" })).cursor.firstBatch,
      (await c.find().batchSize(7).toArray()).length,
    ];
  },
};
