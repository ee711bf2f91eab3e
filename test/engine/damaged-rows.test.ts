import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { MongoClient } from "mongodb";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type EmbeddedEngine, startEmbeddedEngine } from "../../src/engine/start-embedded-engine.ts";
import { ENGINE_THREAD } from "../harness/engine-thread.ts";
import { freshDirectory } from "./harness.ts";

interface Row {
  readonly _id: number;
  readonly owner: string;
  readonly at?: Date;
}

let directory: string;
let engine: EmbeddedEngine;
let client: MongoClient;
let failure: Error | undefined;

beforeEach(async () => {
  directory = freshDirectory();
  failure = undefined;
  await start();
  await rows().createIndexes([{ key: { owner: 1 } }, { key: { at: 1 }, expireAfterSeconds: 0 }]);
});
afterEach(async () => {
  await stop();
  rmSync(directory, { recursive: true, force: true });
});

const rows = () => client.db("t").collection<Row>("rows");
const owners = async () => (await rows().find().sort({ owner: 1 }).toArray()).map(({ owner }) => owner);

async function start(options: { readonly housekeepingIntervalMs?: number } = {}): Promise<void> {
  engine = await startEmbeddedEngine({ directory, threadEntry: ENGINE_THREAD, ...options });
  void engine.failed.then((error) => {
    failure = error;
  });
  client = new MongoClient(engine.url, { serverSelectionTimeoutMS: 2_000 });
}

async function stop(): Promise<void> {
  await client.close();
  await engine.close();
}

async function rot(kind: string): Promise<void> {
  await stop();
  execFileSync(process.execPath, ["test/engine/rot-child.js", directory, "bad", kind]);
  await start({ housekeepingIntervalMs: 20 });
}

const damages = [
  ["cannot be decoded", "broken"],
  ["does not agree with its index entries", "turned"],
] as const;

it.each(damages)("a document that %s expires, and the engine continues", async (_, kind) => {
  const at = new Date();
  await rows().insertMany([
    { _id: 1, owner: "bad", at },
    { _id: 2, owner: "good", at },
    { _id: 3, owner: "stays" },
  ]);
  await rot(kind);
  await expect.poll(() => rows().countDocuments()).toBe(1);
  await rows().insertOne({ _id: 4, owner: "later" });
  expect([failure, await owners()]).toEqual([undefined, ["later", "stays"]]);
});

it.each(damages)("a document that %s can be removed by its id, and created again", async (_, kind) => {
  await rows().insertMany([
    { _id: 1, owner: "bad" },
    { _id: 2, owner: "good" },
  ]);
  await rot(kind);
  expect(await rows().deleteOne({ _id: 1 })).toMatchObject({ deletedCount: 1 });
  await rows().insertOne({ _id: 1, owner: "bad" });
  expect(await rows().find({ owner: "bad" }).toArray()).toMatchObject([{ _id: 1 }]);
  expect(await rows().countDocuments({ owner: { $gte: "" } })).toBe(2);
});

it("a document that differs from its index entries can be changed, and then agrees", async () => {
  await rows().insertMany([
    { _id: 1, owner: "bad" },
    { _id: 2, owner: "good" },
  ]);
  await rot("turned");
  for (const owner of ["new", "bad"]) {
    expect(await rows().updateOne({ _id: 1 }, { $set: { owner } })).toMatchObject({ modifiedCount: 1 });
    expect(await rows().find({ owner }).toArray()).toMatchObject([{ _id: 1 }]);
    expect(await owners()).toEqual([owner, "good"].sort());
    expect(await rows().countDocuments({ owner: { $gte: "" } })).toBe(2);
  }
});
