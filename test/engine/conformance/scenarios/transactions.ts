import type { ClientSession, Db } from "mongodb";
import { attempt, type ScenarioGroup } from "../scenario.ts";

async function withSession<T>(db: Db, work: (session: ClientSession) => Promise<T>): Promise<T> {
  const session = db.client.startSession();
  try {
    return await work(session);
  } finally {
    if (session.inTransaction()) await session.abortTransaction();
    await session.endSession();
  }
}

export const transactions: ScenarioGroup = {
  commit: (db) =>
    withSession(db, async (session) => {
      const c = db.collection<{ _id: number; a?: number }>("c");
      await c.insertOne({ _id: 1 });
      session.startTransaction();
      await c.insertOne({ _id: 2 }, { session });
      await c.updateOne({ _id: 1 }, { $set: { a: 1 } }, { session });
      const inside = await c.find({}, { session }).sort({ _id: 1 }).toArray();
      const outside = await c.find({}).sort({ _id: 1 }).toArray();
      await session.commitTransaction();
      return [inside, outside, await c.find({}).sort({ _id: 1 }).toArray()];
    }),
  abort: (db) =>
    withSession(db, async (session) => {
      const c = db.collection<{ _id: number }>("c");
      await c.insertOne({ _id: 1 });
      session.startTransaction();
      await c.deleteOne({ _id: 1 }, { session });
      await c.insertOne({ _id: 2 }, { session });
      await session.abortTransaction();
      return c.find({}).toArray();
    }),
  "two writers of one document": async (db) =>
    withSession(db, (first) =>
      withSession(db, async (second) => {
        const c = db.collection<{ _id: number; n: number }>("c");
        await c.insertOne({ _id: 1, n: 0 });
        first.startTransaction();
        second.startTransaction();
        await c.findOne({ _id: 1 }, { session: second });
        await c.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session: first });
        await first.commitTransaction();
        const outcome = (await attempt(() =>
          c.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session: second }),
        )) as {
          code: number;
          codeName: string;
          labels: string[];
        };
        const after = (await attempt(() => c.findOne({ _id: 1 }, { session: second }))) as {
          code: number;
          labels: string[];
        };
        return [
          outcome.code,
          outcome.codeName,
          outcome.labels,
          after.code,
          after.labels,
          await c.find().toArray(),
        ];
      }),
    ),
  "a snapshot is kept": (db) =>
    withSession(db, async (session) => {
      const c = db.collection<{ _id: number; n: number }>("c");
      await c.createIndex({ n: 1 });
      await c.insertMany([
        { _id: 1, n: 1 },
        { _id: 2, n: 2 },
      ]);
      session.startTransaction({ readConcern: { level: "snapshot" } });
      const before = await c
        .find({ n: { $gt: 0 } }, { session })
        .sort({ _id: 1 })
        .toArray();
      await c.updateOne({ _id: 1 }, { $set: { n: 100 } });
      await c.insertOne({ _id: 3, n: 3 });
      await c.deleteOne({ _id: 2 });
      const during = await c
        .find({ n: { $gt: 0 } }, { session })
        .sort({ _id: 1 })
        .toArray();
      await session.commitTransaction();
      return [before, during, await c.find().sort({ _id: 1 }).toArray()];
    }),
  "a duplicate key ends it": (db) =>
    withSession(db, async (session) => {
      const c = db.collection<{ _id: number }>("c");
      await c.insertOne({ _id: 1 });
      session.startTransaction();
      await c.insertOne({ _id: 2 }, { session });
      const outcome = await attempt(() => c.insertOne({ _id: 1 }, { session }));
      const after = (await attempt(() => c.findOne({}, { session }))) as { code: number; labels: string[] };
      return [outcome, after.code, after.labels, await c.find().toArray()];
    }),
  "refused in a transaction": (db) =>
    withSession(db, async (session) => {
      await db.collection<{ _id: number }>("c").insertOne({ _id: 1 });
      session.startTransaction();
      const outcome = (await attempt(() => db.command({ count: "c" }, { session }))) as { code: number };
      return outcome.code;
    }),
};
