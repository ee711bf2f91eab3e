import { Double, Int32, Long } from "mongodb";
import { attempt, type ScenarioGroup } from "../scenario.ts";

/** Applies each update to its own copy of a document, and returns the results. */
function each(
  document: Record<string, unknown>,
  updates: readonly unknown[],
  options: object = {},
): ScenarioGroup[string] {
  return async (db) => {
    const c = db.collection<{ _id: number }>("c");
    const results = [];
    for (const update of updates) {
      await c.deleteMany({});
      await c.insertOne({ _id: 1, ...document });
      const outcome = await attempt(() => c.updateOne({ _id: 1 }, update as never, options));
      results.push({ update: JSON.stringify(update), outcome, document: await c.findOne({ _id: 1 }) });
    }
    return results;
  };
}

const BIG = Long.fromString("9223372036854775807");

const HOUR_MS = 3_600_000;

export const updates: ScenarioGroup = {
  "the store's own time": async (db) => {
    const c = db.collection<{ _id: number; until?: Date }>("c");
    const ahead = new Date(Date.now() + 24 * HOUR_MS);
    const passed = new Date(Date.now() - 24 * HOUR_MS);
    await c.insertMany([{ _id: 1, until: ahead }, { _id: 2, until: passed }, { _id: 3 }]);
    const isPassed = { $lte: ["$until", "$$NOW"] };
    const isAhead = { $gt: ["$until", { $add: ["$$NOW", HOUR_MS] }] };
    const found = c.find({ $expr: isPassed }, { projection: { _id: 1 } }).sort({ _id: 1 });
    const told = c.find({}, { projection: { isPassed, isAhead } }).sort({ _id: 1 });
    return [
      await found.toArray(),
      await told.toArray(),
      await c.updateMany({ $expr: isPassed }, [
        { $set: { until: { $add: ["$$NOW", HOUR_MS] }, at: "$$NOW" } },
      ]),
      await c
        .find({}, { projection: { isPassed, isOneMoment: { $eq: ["$until", { $add: ["$at", HOUR_MS] }] } } })
        .sort({ _id: 1 })
        .toArray(),
    ];
  },
  "upserts by a pipeline": async (db) => {
    const c = db.collection<{ _id: number; owner?: string; epoch?: number }>("c");
    const isFree = {
      $or: [{ $eq: ["$owner", { $literal: "$b" }] }, { $not: [{ $gt: ["$until", "$$NOW"] }] }],
    };
    const ifFree = (value: unknown, path: string) => ({ $cond: [isFree, value, path] });
    const take = (owner: string, ms: number) =>
      attempt(async () => {
        const taken = await c.findOneAndUpdate(
          { _id: 1 },
          [
            {
              $set: {
                owner: ifFree({ $literal: owner }, "$owner"),
                until: ifFree({ $add: ["$$NOW", ms] }, "$until"),
                epoch: ifFree({ $cond: [{ $isNumber: "$epoch" }, { $add: ["$epoch", 1] }, 1] }, "$epoch"),
              },
            },
          ],
          { upsert: true, returnDocument: "after" },
        );
        return taken && { owner: taken.owner, epoch: taken.epoch };
      });
    return [await take("$a", HOUR_MS), await take("b", 0), await take("$a", 0), await take("b", HOUR_MS)];
  },
  "$expr in the filter of an upsert": async (db) => {
    const c = db.collection<{ _id: number; a?: number }>("c");
    await c.insertOne({ _id: 1, a: 1 });
    const isOne = { $expr: { $eq: ["$a", 1] } };
    const options = { upsert: true } as const;
    return [
      await attempt(() => c.updateOne({ _id: 1, ...isOne }, { $set: { b: 1 } }, options)),
      await attempt(() => c.updateOne({ _id: 2, $or: [{ a: 2 }, isOne] }, { $set: { b: 1 } }, options)),
      await attempt(() => c.findOneAndUpdate({ _id: 2, $and: [isOne] }, { $set: { b: 1 } }, options)),
      await attempt(() => c.replaceOne({ $and: [isOne, { _id: 2 }] }, { a: 2 }, options)),
      await attempt(() => c.updateOne({ _id: 1, ...isOne }, { $set: { b: 1 } })),
    ];
  },
  "$set and new fields": each({ a: 1, n: { x: 1 }, l: [1, 2, { q: 1 }] }, [
    { $set: { z: 1, b: 2, "n.y": 2, "n.a": 1 } },
    { $set: { "p.q.r": 1 } },
    { $set: { "a.b": 1 } },
    { $set: { "l.x": 1 } },
    { $set: { "n.x.y": 1 } },
    { $set: { a: 1 } },
    { $set: { a: new Double(1) } },
    { $set: {} },
    { $set: { "b.10": 1, "b.9": 2, "b.2": 3 } },
    { $set: { a: { $x: 1 } } },
  ]),
  $unset: each({ a: 1, n: { x: 1, y: 2 }, l: [1, 2, 3] }, [
    { $unset: { a: "" } },
    { $unset: { "n.x": 1, zz: 1 } },
    { $unset: { "l.x": 1 } },
    { $unset: { "a.b.c": 1 } },
  ]),
  $inc: each(
    {
      i: new Int32(5),
      d: new Double(5),
      l: Long.fromNumber(5),
      m: new Int32(2147483647),
      big: BIG,
      s: "x",
      nul: null,
    },
    [
      { $inc: { i: 1, d: 1, l: 1, m: 1, fresh: 3 } },
      { $inc: { i: new Double(1), l: new Double(1.5) } },
      { $inc: { i: Long.fromNumber(1) } },
      { $inc: { big: 1 } },
      { $inc: { s: 1 } },
      { $inc: { nul: 1 } },
      { $inc: { i: "x" } },
      { $inc: { i: 0 } },
      { $inc: { "s.t": 1 } },
    ],
  ),
  "$min and $max": each({ a: 5, s: "m", d: new Date(1000) }, [
    { $min: { a: 3 } },
    { $min: { a: 7, fresh: 1 } },
    { $max: { a: 7 } },
    { $max: { a: new Double(5) } },
    { $max: { s: 5 } },
    { $min: { s: 5 } },
    { $min: { d: new Date(500) } },
    { $max: { a: null } },
  ]),
  $setOnInsert: each({ a: 1 }, [{ $setOnInsert: { a: 5 } }]),
  "refused updates": each({ a: 1, b: { c: 1 } }, [
    { $foo: { a: 1 } },
    { $set: 5 },
    { $set: { _id: 2 } },
    { $set: { _id: 1 } },
    { $unset: { _id: 1 } },
    { $set: { a: 1 }, $inc: { a: 1 } },
    { $set: { b: 1, "b.c": 2 } },
    { $set: { "": 1 } },
    { $set: { "a..b": 1 } },
    { $set: { $a: 1 } },
  ]),
  multi: async (db) => {
    const c = db.collection<{ _id: number; n?: number }>("c");
    await c.insertMany([1, 2, 3].map((_id) => ({ _id, n: _id })));
    await c.createIndex({ n: 1 });
    return [
      await attempt(() => c.updateMany({ n: { $gte: 1 } }, { $inc: { n: 10 } })),
      await attempt(() => db.command({ update: "c", updates: [{ q: {}, u: { a: 1 }, multi: true }] })),
      await c.find().sort({ _id: 1 }).toArray(),
    ];
  },
  pipelines: each({ a: 2, b: { c: 3 }, l: [1, 2], s: "x" }, [
    [{ $set: { d: { $add: ["$a", "$b.c"] } } }],
    [{ $set: { a: { $cond: [{ $gt: ["$a", 1] }, "big", "small"] } } }],
    [{ $set: { a: "$s", s: "$a" } }, { $set: { z: "$a" } }],
    [{ $set: { a: "$nope", y: "$nope" } }],
    [{ $set: { _id: 5 } }],
    [{ $set: { _id: 1, l: "$l.x" } }],
    [],
  ]),
};
