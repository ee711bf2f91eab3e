import { statSync } from "node:fs";
import { Binary, type Db, type Document, Long, MongoClient } from "mongodb";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type RunningEngine, rawCommand, startEngine } from "./harness.ts";

describe("the embedded engine", () => {
  let engine: RunningEngine;
  let client: MongoClient;
  let db: Db;

  beforeAll(async () => {
    engine = await startEngine({ housekeepingIntervalMs: 50 });
    client = new MongoClient(engine.url);
  });
  beforeEach(async () => {
    db = client.db("t");
    await db.dropDatabase();
  });
  afterAll(async () => {
    await client.close();
    await engine.close();
  });

  it("listens on a socket that only its owner can open", () => {
    const path = decodeURIComponent(new URL(engine.url).host);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("removes documents after their TTL, and no others", async () => {
    const c = db.collection<{ _id: number; at?: unknown }>("c");
    await c.createIndex({ at: 1 }, { expireAfterSeconds: 3600 });
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    await c.insertMany([
      { _id: 1, at: hoursAgo(2) },
      { _id: 2, at: hoursAgo(0.5) },
      { _id: 3, at: [hoursAgo(0), hoursAgo(3)] },
      { _id: 4, at: "2001-01-01" },
      { _id: 5 },
    ]);
    await expect
      .poll(async () => (await c.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id))
      .toEqual([2, 4, 5]);
  });

  it("streams a result that does not fit into one batch, while others write", async () => {
    const c = db.collection<{ _id: number; n: number; pad: string }>("c");
    await c.createIndex({ n: 1 });
    const pad = "x".repeat(1000);
    await c.insertMany(Array.from({ length: 3000 }, (_, _id) => ({ _id, n: 3000 - _id, pad })));
    let last = 0;
    let count = 0;
    for await (const { n } of c.find().sort({ n: 1 }).batchSize(100)) {
      expect(n).toBeGreaterThan(last);
      last = n;
      if (++count % 500 === 0) await c.insertOne({ _id: 10_000 + count, n: -count, pad });
    }
    expect(count).toBe(3000);
  });

  it("stores documents up to 16 MiB and refuses larger ones", async () => {
    const c = db.collection<{ _id: number; data: Binary }>("c");
    const data = new Binary(Buffer.alloc(16 * 1024 * 1024 - 100, 7));
    await c.insertMany([
      { _id: 1, data },
      { _id: 2, data },
    ]);
    const found = await c.find().toArray();
    expect(found.map(({ data: stored }) => stored.length())).toEqual([data.length(), data.length()]);
    await expect(
      c.updateOne({ _id: 1 }, { $set: { more: "x".repeat(1000) } } as never),
    ).rejects.toMatchObject({ code: 17419 });
  });

  it("runs a retried write once, and returns the first result again", async () => {
    const lsid = { id: new Binary(Buffer.from("0123456789abcdef"), 4) };
    const command = {
      findAndModify: "c",
      query: { _id: 1 },
      update: { $inc: { n: 1 } },
      upsert: true,
      new: true,
      lsid,
      txnNumber: Long.fromNumber(5),
    };
    // The driver would put a session of its own in.
    const raw = (body: Document) => rawCommand(engine.url, { ...body, $db: "t" });
    const first = await raw(command);
    expect(await raw(command)).toEqual(first);
    expect(await db.collection("c").findOne()).toMatchObject({ n: 1 });
    expect((await raw({ ...command, txnNumber: Long.fromNumber(6) })).value).toMatchObject({ n: 2 });
    expect(await raw(command)).toMatchObject({ ok: 0, code: 225 });
  });
});
