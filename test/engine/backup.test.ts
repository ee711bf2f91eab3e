import { copyFileSync, existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type EmbeddedEngine, startEmbeddedEngine } from "../../src/engine/start-embedded-engine.ts";
import { ENGINE_THREAD } from "../harness/engine-thread.ts";
import { freshDirectory } from "./harness.ts";

interface Row {
  _id: number;
  pad: string;
}

/** Writes that are acknowledged when the copy begins. */
const ENOUGH = 200;
const PAD = "x".repeat(20_000);

let root: string;
let engine: EmbeddedEngine;
let client: MongoClient;

const start = (name: string) =>
  startEmbeddedEngine({ directory: join(root, name), threadEntry: ENGINE_THREAD });

beforeEach(async () => {
  root = freshDirectory();
  engine = await start("data");
  client = new MongoClient(engine.url);
});
afterEach(async () => {
  await client.close();
  await engine.close();
  rmSync(root, { recursive: true, force: true });
});

describe("a copy of the embedded database", () => {
  it("has everything that was acknowledged before it began, and commits continue during it", async () => {
    const rows = client.db("t").collection<Row>("rows");
    await rows.createIndex({ pad: 1, _id: 1 });
    const acknowledged: number[] = [];
    let next = 0;
    let stopped = false;
    let tell = () => {};
    const enough = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const write = async () => {
      while (!stopped) {
        const _id = next++;
        await rows.insertOne({ _id, pad: PAD });
        acknowledged.push(_id);
        if (acknowledged.length === ENOUGH) tell();
      }
    };
    await rows.insertMany(Array.from({ length: 1500 }, (_, n) => ({ _id: -n - 1, pad: PAD })));
    const writers = Array.from({ length: 8 }, write);
    await enough;
    const target = join(root, "copy.sqlite");
    const before = [...acknowledged];
    const shown: number[] = [];
    await engine.backUp(target, ({ doneBytes, totalBytes }) => shown.push(doneBytes / totalBytes));
    stopped = true;
    await Promise.all(writers);
    expect(before.length).toBeGreaterThanOrEqual(ENOUGH);
    expect(acknowledged.length).toBeGreaterThan(before.length);
    expect(shown.length).toBeGreaterThan(5);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect(existsSync(`${target}-wal`)).toBe(false);

    const restored = freshDirectory();
    copyFileSync(target, join(restored, "hermod.sqlite"));
    const other = await startEmbeddedEngine({ directory: restored, threadEntry: ENGINE_THREAD });
    const reader = new MongoClient(other.url);
    try {
      const found = await reader.db("t").collection<Row>("rows").find().toArray();
      const ids = new Set(found.map(({ _id }) => _id));
      expect(before.filter((id) => !ids.has(id))).toEqual([]);
      expect(found.filter(({ _id }) => _id < 0).length).toBe(1500);
      expect(found.every(({ pad }) => pad === PAD)).toBe(true);
      await reader.db("t").collection<Row>("rows").insertOne({ _id: 1e9, pad: PAD });
    } finally {
      await reader.close();
      await other.close();
      rmSync(restored, { recursive: true, force: true });
    }
    // The file is still this process's alone.
    await expect(start("data")).rejects.toThrow("in use");
  });

  it("is refused if the file exists, which stays unchanged", async () => {
    const target = join(root, "there");
    writeFileSync(target, "mine");
    await expect(engine.backUp(target, () => {})).rejects.toMatchObject({ code: "EEXIST" });
    expect(statSync(target).size).toBe(4);
  });
});
