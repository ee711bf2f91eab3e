import { inspect } from "node:util";
import fc from "fast-check";
import { type Db, type Document, Double, Long, MongoClient } from "mongodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repetitions } from "../harness/repetitions.ts";
import { comparable } from "./conformance/scenario.ts";
import { type RunningEngine, startEngine } from "./harness.ts";

const { MONGODB_URL } = process.env;

const scalar = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(null, true, false, "", "a", "b", "ab", new Date(0), new Date(5), Number.NaN, 0.5, -0.5),
  fc.constantFrom(
    new Double(1),
    Long.fromNumber(2),
    Long.fromString("9007199254740993"),
    { x: 1 },
    { x: 1, y: 2 },
  ),
);
const value = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.record({ c: scalar }) },
);
const documentFields = fc.record({ a: value, b: scalar, d: fc.record({ e: scalar }) }, { requiredKeys: [] });
const path = fc.constantFrom("a", "b", "d.e", "a.c", "a.x");
const condition: fc.Arbitrary<unknown> = fc.oneof(
  scalar,
  fc.record({ $gt: scalar }),
  fc.record({ $gte: scalar }),
  fc.record({ $lt: scalar }),
  fc.record({ $gte: scalar, $lt: scalar }),
  fc.record({ $in: fc.array(scalar, { maxLength: 3 }) }),
  fc.record({ $lte: scalar }),
  fc.record({ $ne: scalar }),
  fc.record({ $exists: fc.boolean() }),
  fc.record({ $not: fc.record({ $gt: scalar }) }),
  fc.record({ $not: fc.record({ $in: fc.array(scalar, { maxLength: 2 }) }) }),
);
const clause = fc.tuple(path, condition).map(([name, test]) => ({ [name]: test }));
const filter: fc.Arbitrary<Document> = fc.oneof(
  fc.array(clause, { maxLength: 3 }).map((clauses) => Object.assign({}, ...clauses) as Document),
  fc.array(clause, { minLength: 1, maxLength: 2 }).map((clauses) => ({ $or: clauses })),
  fc.array(clause, { minLength: 1, maxLength: 2 }).map((clauses) => ({ $and: clauses })),
);
const sort = fc
  .uniqueArray(fc.tuple(fc.constantFrom("a", "b", "d.e"), fc.constantFrom(1, -1)), {
    selector: ([name]) => name,
    maxLength: 2,
  })
  .map((fields) => Object.fromEntries([...fields, ["_id", 1]]) as Record<string, 1 | -1>);
const number = fc.constantFrom(1, -2, new Double(0.5), Long.fromNumber(3));
const update: fc.Arbitrary<Document> = fc.oneof(
  fc.record({
    $set: fc.oneof(
      fc.dictionary(fc.constantFrom("b", "d.e", "f.g"), scalar, { minKeys: 1, maxKeys: 2 }),
      fc.record({ a: value }),
    ),
  }),
  fc.record({ $unset: fc.constantFrom({ a: 1 }, { "d.e": 1 }, { "a.c": 1 }) }),
  fc.record({
    $inc: fc.dictionary(fc.constantFrom("a", "b", "d.e", "n"), number, { minKeys: 1, maxKeys: 2 }),
  }),
  fc.record({ $min: fc.dictionary(fc.constantFrom("a", "b"), scalar, { minKeys: 1 }) }),
  fc.record({ $max: fc.dictionary(fc.constantFrom("a", "b"), scalar, { minKeys: 1 }) }),
  fc.record({ $setOnInsert: fc.record({ a: scalar }) }),
);

type Numbered = Document & { _id: number };

async function fill(db: Db, documents: readonly Document[], indexed: boolean) {
  const c = db.collection<Numbered>("c");
  await c.drop();
  if (indexed) {
    await c.createIndexes([
      { key: { a: 1 } },
      { key: { a: -1, b: 1 } },
      { key: { a: 1, _id: -1 } },
      { key: { "d.e": 1, a: -1 } },
      { key: { b: 1 }, partialFilterExpression: { b: { $exists: true } } },
      { key: { "a.c": 1 } },
    ]);
  }
  if (documents.length > 0)
    await c.insertMany(documents.map((fields, _id) => ({ _id, ...fields })) as Numbered[]);
  return c;
}

/** Conditions on one path more than once would overwrite each other in an object, so a filter may be any of these. */
const scenario = fc.record({
  documents: fc.array(documentFields, { minLength: 1, maxLength: 12 }),
  queries: fc.array(fc.record({ filter, sort, limit: fc.integer({ min: 0, max: 5 }) }), {
    minLength: 1,
    maxLength: 6,
  }),
  updates: fc.array(update, { maxLength: 6 }),
});

type Run = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

async function run(db: Db, { documents, queries, updates }: Run, indexed: boolean): Promise<string[]> {
  const c = await fill(db, documents, indexed);
  const told: string[] = [];
  const ask = async () => {
    for (const { filter: by, sort: order, limit } of queries) {
      const found = await c.find(by).sort(order).limit(limit).toArray();
      told.push(comparable({ by, order, found, count: await c.countDocuments(by) }));
    }
  };
  await ask();
  for (const [at, change] of updates.entries()) {
    // By _id: which of several matching documents updateOne takes depends on the plan.
    const by = { _id: at % documents.length };
    const outcome = await c.updateOne(by, change).catch((error: { code: number }) => error.code);
    told.push(comparable({ by, change, outcome, all: await c.find().sort({ _id: 1 }).toArray() }));
  }
  await ask();
  return told;
}

/**
 * MongoDB counts a sum that is no number, as the value before it, as a change. No field of Hermod's is that. The value before
 * it is stored, or of an earlier update.
 */
function incrementsNaN({ documents, updates }: Run): boolean {
  const written = inspect({ documents, updates }, { depth: null });
  return updates.some((change) => "$inc" in change) && /\bNaN\b/.test(written);
}

describe("random queries and updates", () => {
  let engine: RunningEngine;
  let client: MongoClient;
  let mongodb: MongoClient | undefined;

  beforeAll(async () => {
    engine = await startEngine();
    client = new MongoClient(engine.url, { promoteValues: false });
    if (MONGODB_URL !== undefined) mongodb = new MongoClient(MONGODB_URL, { promoteValues: false });
  });
  afterAll(async () => {
    await client.close();
    await mongodb?.close();
    await engine.close();
  });

  it("have the same result with indexes as without", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        const [plain, indexed] = [
          await run(client.db("plain"), given, false),
          await run(client.db("indexed"), given, true),
        ];
        expect(indexed).toEqual(plain);
      }),
      { numRuns: repetitions(15, 30) },
    );
  });

  it.skipIf(MONGODB_URL === undefined)("have MongoDB's result", { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        fc.pre(!incrementsNaN(given));
        const real = await run((mongodb as MongoClient).db("random"), given, false);
        expect(await run(client.db("random"), given, true)).toEqual(real);
      }),
      { numRuns: repetitions(15, 30) },
    );
  });
});
