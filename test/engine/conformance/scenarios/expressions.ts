import { Double, Int32, Long } from "mongodb";
import { attempt, type ScenarioGroup } from "../scenario.ts";

const DOCUMENTS = [
  { _id: 1, who: "a", n: 1, at: new Date("2024-03-05T10:11:12.345Z"), o: { k: 1 } },
  { _id: 2, who: "b", n: new Double(2.5), at: new Date("2024-03-05T23:59:59.999Z"), o: { k: 2 } },
  { _id: 3, who: null, n: Long.fromNumber(3), at: "then", l: [{ k: 1 }, 5, { k: 2 }] },
  { _id: 4, n: new Int32(2147483647) },
];

/** Each is evaluated against every document above. */
const EXPRESSIONS: unknown[] = [
  { $add: ["$_id", 1, new Double(0.5)] },
  { $add: ["$n", 1] },
  { $add: ["$n", Long.fromString("9223372036854775807")] },
  { $add: ["$at", 1000] },
  { $add: [new Date(0), new Double(1.6)] },
  { $add: [] },
  { $add: "$n" },
  { $add: ["$nope", 1] },
  { $add: [new Date(0), new Date(0)] },
  { $add: ["$who", 1] },
  { $eq: ["$who", null] },
  { $gt: ["$who", null] },
  { $lte: ["$who", null] },
  { $lte: ["$nope", null] },
  { $gt: ["$at", new Date("2024-03-05T12:00:00Z")] },
  { $lte: ["$n", 2] },
  { $gte: ["$n", 3] },
  { $lt: ["$n", 3] },
  { $lt: ["$nope", null] },
  { $max: ["$n", 2] },
  { $max: ["$who", "$nope"] },
  { $max: ["$n", "$who"] },
  { $isNumber: "$n" },
  { $isNumber: ["$who"] },
  { $toLong: "$n" },
  { $toLong: "$nope" },
  { $toLong: new Date(1700000000123) },
  { $toLong: new Double(-2.9) },
  { $and: ["$who", true] },
  { $and: [] },
  { $or: ["$nope", "$who"] },
  { $or: [] },
  { $not: ["$who"] },
  { $not: "$who" },
  { $cond: [{ $gt: ["$_id", 2] }, "hi", "lo"] },
  { $cond: ["$who", 1, "$nope"] },
  { $cond: [true, "$nope", 1] },
  { $literal: "$who" },
  { $literal: { $add: 1 } },
  "$o.k",
  "$l.k",
  "$l.x",
  "$nope",
  "lit",
  { $foo: 1 },
  "$$nope",
  { $cond: [1, 2] },
  { $gt: [1] },
  { $not: [1, 2] },
  "$",
  "$a..b",
];

export const expressions: ScenarioGroup = {
  "in projections": async (db) => {
    const c = db.collection<{ _id: number }>("c");
    await c.insertMany(DOCUMENTS);
    const results = [];
    for (const e of EXPRESSIONS) {
      const found = c.find({}, { projection: { _id: 0, e } }).sort({ _id: 1 });
      const outcome = (await attempt(() => found.toArray())) as { code?: number };
      results.push([JSON.stringify(e), outcome.code === undefined ? outcome : outcome.code]);
    }
    return results;
  },
  "in filters": async (db) => {
    const c = db.collection<{ _id: number }>("c");
    await c.insertMany(DOCUMENTS);
    const results = [];
    for (const $expr of EXPRESSIONS) {
      const found = c.find({ $expr }, { projection: { _id: 1 } }).sort({ _id: 1 });
      const outcome = (await attempt(() => found.toArray())) as { code?: number };
      results.push([JSON.stringify($expr), outcome.code === undefined ? outcome : outcome.code]);
    }
    return results;
  },
  unknown: async (db) => {
    const c = db.collection("c");
    await c.insertOne({ a: 1 });
    return [
      await attempt(() => c.find({ $expr: { $foo: 1 } }).toArray()),
      await attempt(() => c.find({}, { projection: { e: { $foo: 1 } } }).toArray()),
      await attempt(() => c.findOneAndUpdate({}, [{ $set: { a: { $foo: 1 } } }])),
      await attempt(() => c.findOneAndUpdate({}, [{ $foo: { a: 1 } }])),
      await attempt(() => c.find({ $expr: "$$foo" }).toArray()),
    ];
  },
};
