import { Double, Int32, Long } from "mongodb";
import { attempt, type ScenarioGroup } from "../scenario.ts";

const SALES = [
  { _id: 1, who: "a", n: 1, tags: ["x", "y"], at: new Date("2024-03-05T10:11:12.345Z"), o: { k: 1 } },
  { _id: 2, who: "b", n: new Double(2.5), tags: [], at: new Date("2024-03-05T23:59:59.999Z"), o: { k: 2 } },
  { _id: 3, who: "a", n: Long.fromNumber(3), at: new Date("2024-12-31T00:00:00Z"), o: { k: 1 } },
  { _id: 4, who: null, n: "x", tags: "z", at: new Date("2023-01-01T00:00:00Z") },
  { _id: 5, n: new Int32(2147483647), tags: [["x"]], at: new Date("2024-02-29T12:00:00Z") },
];

const THEN = "then";

/** An object with the field "then", which cannot stand in a literal: it would look like a promise. */
function named(before: object, value: unknown, after: object = {}): object {
  return Object.fromEntries([...Object.entries(before), [THEN, value], ...Object.entries(after)]);
}

const PIPELINES: object[][] = [
  [{ $match: { who: "a" } }, { $count: "n" }],
  [{ $match: { who: "nobody" } }, { $count: "n" }],
  [
    {
      $group: {
        _id: "$who",
        sum: { $sum: "$n" },
        avg: { $avg: "$n" },
        min: { $min: "$n" },
        max: { $max: "$n" },
        count: { $sum: 1 },
      },
    },
    { $sort: { _id: 1 } },
  ],
  [{ $group: { _id: null, total: { $sum: "$n" }, c: { $count: {} } } }],
  [{ $group: { _id: { w: "$who", k: "$o.k" }, c: { $sum: 1 } } }, { $sort: { "_id.w": 1, c: 1, _id: 1 } }],
  [
    { $sort: { _id: 1 } },
    { $group: { _id: "$who", first: { $first: "$n" }, last: { $last: "$n" }, all: { $push: "$n" } } },
    { $sort: { _id: 1 } },
  ],
  [{ $sort: { _id: -1 } }, { $skip: 1 }, { $limit: 2 }, { $project: { n: 1 } }],
  [{ $limit: 3 }, { $skip: 1 }, { $project: { _id: 1 } }],
  [{ $project: { _id: 0, who: 1, double: { $add: ["$_id", 1] }, missing: "$nope" } }],
  [{ $project: { who: 0, at: 0 } }],
  [{ $addFields: { "o.z": "$_id", fresh: { a: "$who" } } }, { $project: { o: 1, fresh: 1 } }],
  [{ $unset: ["at", "tags", "o"] }],
  [{ $unwind: "$tags" }, { $project: { tags: 1 } }],
  [
    { $unwind: { path: "$tags", preserveNullAndEmptyArrays: true, includeArrayIndex: "i" } },
    { $project: { tags: 1, i: 1 } },
  ],
  [{ $match: { who: "a" } }, { $replaceRoot: { newRoot: "$o" } }],
  [
    { $lookup: { from: "people", localField: "who", foreignField: "name", as: "person" } },
    { $project: { person: 1 } },
  ],
  [
    {
      $lookup: {
        from: "people",
        let: { w: "$who" },
        pipeline: [{ $match: { $expr: { $eq: ["$name", "$$w"] } } }, { $project: { _id: 0, age: 1 } }],
        as: "p",
      },
    },
    { $project: { p: 1 } },
  ],
  [
    { $lookup: { from: "people", localField: "tags", foreignField: "name", as: "p" } },
    { $project: { p: 1 } },
  ],
  [{ $sortByCount: "$who" }, { $match: { count: 2 } }, { $sort: { _id: 1 } }],
  [{ $facet: { a: [{ $count: "n" }], b: [{ $match: { who: "a" } }, { $project: { _id: 1 } }] } }],
  [
    {
      $project: {
        d: { $dateToString: { date: "$at", format: "%Y-%m-%d %H:%M:%S.%L" } },
        t: { $dateTrunc: { date: "$at", unit: "day" } },
        m: { $dateTrunc: { date: "$at", unit: "month" } },
        h6: { $dateTrunc: { date: "$at", unit: "hour", binSize: 6 } },
        w: { $dateTrunc: { date: "$at", unit: "week" } },
        wm: { $dateTrunc: { date: "$at", unit: "week", startOfWeek: "monday" } },
        y: { $year: "$at" },
        doy: { $dayOfYear: "$at" },
        dow: { $dayOfWeek: "$at" },
      },
    },
  ],
  [
    {
      $project: {
        plus: { $dateAdd: { startDate: "$at", unit: "month", amount: 1 } },
        minus: { $dateSubtract: { startDate: "$at", unit: "day", amount: 2 } },
        diff: { $subtract: ["$at", new Date("2024-01-01")] },
        back: { $subtract: ["$at", 1000] },
      },
    },
  ],
];

/** Each is evaluated against every document above. */
const EXPRESSIONS: Record<string, unknown>[] = [
  { e: { $add: ["$_id", 1, new Double(0.5)] } },
  { e: { $subtract: ["$_id", 7] } },
  { e: { $multiply: ["$_id", Long.fromNumber(2)] } },
  { e: { $divide: ["$_id", 2] } },
  { e: { $mod: ["$_id", 3] } },
  { e: { $add: [new Int32(2147483647), 1] } },
  { e: { $abs: { $subtract: ["$_id", 3] } } },
  { e: { $round: [new Double(2.5)] } },
  { e: { $round: [new Double(2.71559), 2] } },
  { e: { $floor: new Double(-1.5) } },
  { e: { $ceil: new Double(1.2) } },
  { e: { $trunc: new Double(-1.7) } },
  { e: { $eq: ["$who", null] } },
  { e: { $gt: ["$who", null] } },
  { e: { $lt: ["$who", null] } },
  { e: { $cmp: ["$_id", 3] } },
  { e: { $and: ["$who", true] } },
  { e: { $or: ["$nope", "$who"] } },
  { e: { $not: ["$who"] } },
  { e: { $cond: named({ if: { $gte: ["$_id", 3] } }, "hi", { else: "lo" }) } },
  { e: { $ifNull: ["$who", "none"] } },
  { e: { $switch: { branches: [named({ case: { $eq: ["$_id", 1] } }, "one")], default: "other" } } },
  { e: { $concat: ["x", { $toString: "$_id" }] } },
  { e: { $toUpper: "$who" } },
  { e: { $toLower: "ABé" } },
  { e: { $substrCP: ["héllo", 1, 3] } },
  { e: { $strLenCP: "héllo" } },
  { e: { $strLenBytes: "héllo" } },
  { e: { $split: ["a,b,c", ","] } },
  { e: { $trim: { input: "  a " } } },
  { e: { $regexMatch: { input: "Hello", regex: "^h", options: "i" } } },
  { e: { $size: { $ifNull: [{ $cond: [{ $isArray: "$tags" }, "$tags", []] }, []] } } },
  { e: { $arrayElemAt: [[1, 2, 3], -1] } },
  { e: { $arrayElemAt: [[1], 5] } },
  { e: { $in: ["$_id", [1, 2]] } },
  { e: { $concatArrays: [[1], [2, "$_id"]] } },
  { e: { $slice: [[1, 2, 3], 2] } },
  { e: { $slice: [[1, 2, 3], 1, 1] } },
  { e: { $filter: { input: [1, 2, 3], as: "i", cond: { $gte: ["$$i", "$_id"] } } } },
  { e: { $map: { input: [1, 2], in: { $add: ["$$this", "$_id"] } } } },
  { e: { $reduce: { input: [1, 2, 3], initialValue: 0, in: { $add: ["$$value", "$$this"] } } } },
  { e: { $sum: [1, 2, "x"] } },
  { e: { $avg: [1, 2] } },
  { e: { $max: [1, "$_id"] } },
  { e: { $min: ["$tags", 1] } },
  { e: { $type: "$n" } },
  { e: { $type: "$nope" } },
  { e: { $isNumber: "$n" } },
  { e: { $toInt: "12" } },
  { e: { $toLong: new Double(3.9) } },
  { e: { $toDouble: "1.5" } },
  { e: { $toBool: "$_id" } },
  { e: { $toDate: "2024-01-01" } },
  { e: { $mergeObjects: ["$o", { z: 1 }] } },
  { e: { $objectToArray: "$o" } },
  { e: { $arrayToObject: [[["a", 1]]] } },
  { e: { $let: { vars: { x: "$_id" }, in: { $add: ["$$x", "$$x"] } } } },
  { e: { $literal: "$who" } },
  { e: ["$_id", "$nope"] },
  { e: { a: "$_id", b: "$nope" } },
  { e: "$o.k" },
  { e: "$tags.x" },
  { e: "$$ROOT.o" },
  { e: "$$REMOVE" },
  {
    e: {
      $setUnion: [
        [1, 2],
        [2, 3],
      ],
    },
  },
  {
    e: {
      $setIntersection: [
        [1, 2],
        [2, 3],
      ],
    },
  },
  { e: { $setDifference: [[1, 2], [2]] } },
  { e: { $setIsSubset: [[1], [1, 2]] } },
  { e: { $reverseArray: [[1, 2]] } },
  { e: { $range: [0, 5, 2] } },
  { e: { $indexOfArray: [[1, 2], 2] } },
  { e: { $first: [[7, 8]] } },
  { e: { $last: "$tags" } },
  { e: { $foo: 1 } },
  { e: { $add: ["$who", 1] } },
  { e: { $divide: [1, 0] } },
  { e: "$$nope" },
  { e: { $size: "$who" } },
  { e: { $cond: [1, 2] } },
  { e: { $concat: ["a", 1] } },
  { e: { $add: 1, $x: 2 } },
  { e: "$" },
  { e: { $in: [1, 2] } },
  { e: { $toInt: "x" } },
];

const REFUSED: object[][] = [
  [{ $foo: 1 }],
  [{ $match: 1 }],
  [{ $limit: 0 }],
  [{ $limit: -1 }],
  [{ $skip: -1 }],
  [{ $group: { x: 1 } }],
  [{ $group: { _id: 1, x: 1 } }],
  [{ $group: { _id: 1, x: { $foo: 1 } } }],
  [{ $count: "" }],
  [{ $count: "$x" }],
  [{ $sort: {} }],
  [{ $project: {} }],
  [{ $project: { a: 1, b: 0 } }],
  [{ $unwind: "x" }],
  [{ $a: 1, $b: 2 } as object],
  [{ $replaceRoot: {} }],
  [{ $replaceRoot: { newRoot: "$who" } }],
  [{ $addFields: {} }],
  [{ $lookup: { from: "x" } }],
];

export const aggregations: ScenarioGroup = {
  pipelines: async (db) => {
    await db.collection<{ _id: number }>("c").insertMany(SALES);
    await db.collection<{ _id: number }>("people").insertMany([
      { _id: 1, name: "a", age: 5 },
      { _id: 2, name: "x", age: 6 },
      { _id: 3, age: 7 },
    ] as never);
    const results = [];
    for (const pipeline of PIPELINES)
      results.push([
        JSON.stringify(pipeline),
        await attempt(() => db.collection("c").aggregate(pipeline).toArray()),
      ]);
    return results;
  },
  expressions: async (db) => {
    await db.collection<{ _id: number }>("c").insertMany(SALES);
    const results = [];
    for (const fields of EXPRESSIONS) {
      const outcome = (await attempt(() =>
        db
          .collection("c")
          .aggregate([{ $sort: { _id: 1 } }, { $project: { _id: 0, ...fields } }])
          .toArray(),
      )) as { code?: number };
      results.push([JSON.stringify(fields), outcome.code === undefined ? outcome : outcome.code]);
    }
    return results;
  },
  "refused stages": async (db) => {
    await db.collection<{ _id: number }>("c").insertMany(SALES);
    const results = [];
    for (const pipeline of REFUSED) {
      const outcome = (await attempt(() => db.collection("c").aggregate(pipeline).toArray())) as {
        code?: number;
      };
      results.push([JSON.stringify(pipeline), outcome.code ?? outcome]);
    }
    return results;
  },
};
