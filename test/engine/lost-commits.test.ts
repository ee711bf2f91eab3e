import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { MongoClient } from "mongodb";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type EmbeddedEngine, startEmbeddedEngine } from "../../src/engine/start-embedded-engine.ts";
import { ENGINE_THREAD } from "../harness/engine-thread.ts";
import { freshDirectory } from "./harness.ts";

let directory: string;
let file: string;
let log: string;

beforeEach(() => {
  directory = freshDirectory();
  file = path.join(directory, "hermod.sqlite");
  log = `${file}-wal`;
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const start = (acceptedLoss?: number) =>
  startEmbeddedEngine({ directory, threadEntry: ENGINE_THREAD, acceptedLoss });

/** Error of a refused start; undefined: the start succeeds. */
async function refusal(acceptedLoss?: number): Promise<string | undefined> {
  let engine: EmbeddedEngine;
  try {
    engine = await start(acceptedLoss);
  } catch (error) {
    return (error as Error).message;
  }
  await engine.close();
  return undefined;
}

/** Kills a writing process after this number of acknowledged writes; returns its acknowledged "ones". */
async function killedWriter(writes: number, into = directory): Promise<number[]> {
  const child = spawn(process.execPath, ["test/engine/crash-child.js", into], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const ones: number[] = [];
  let seen = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [kind, value] = line.split(" ");
    if (kind === "one") ones.push(Number(value));
    if (++seen === writes) child.kill("SIGKILL");
  }
  await exited;
  return ones;
}

async function missing(engine: EmbeddedEngine, ones: readonly number[]): Promise<number> {
  const client = new MongoClient(engine.url);
  try {
    const stored = new Set((await client.db("crash").collection("ones").find().toArray()).map(({ n }) => n));
    return ones.filter((n) => !stored.has(n)).length;
  } finally {
    await client.close();
  }
}

const damages: readonly [string, () => void][] = [
  ["deleted", () => rmSync(log)],
  ["halved", () => truncateSync(log, Math.floor(statSync(log).size / 2))],
  ["with one byte turned", () => turnByte(log, Math.floor(statSync(log).size / 2))],
];

function turnByte(name: string, at: number): void {
  const byte = readFileSync(name)[at] as number;
  const handle = openSync(name, "r+");
  writeSync(handle, Buffer.from([byte ^ 0xff]), 0, 1, at);
  closeSync(handle);
}

describe("a database with missing acknowledged commits", () => {
  /** Folder that a killed writer has left. */
  let left: string;
  let ones: number[];
  beforeAll(async () => {
    left = freshDirectory();
    ones = await killedWriter(600, left);
    // The socket cannot be copied.
    for (const name of readdirSync(left)) if (name.endsWith(".sock")) rmSync(path.join(left, name));
  });
  afterAll(() => rmSync(left, { recursive: true, force: true }));

  for (const [what, damage] of damages) {
    it(`refuses to start with a log that is ${what}, reports the missing ones, and continues when accepted`, async () => {
      cpSync(left, directory, { recursive: true });
      damage();
      const said = await refusal();
      expect(said).toMatch(
        /acknowledged data is missing: (the last|all) \d+ (of \d+ )?commits.*until \d{4}-/,
      );
      const accepted = Number(/HERMOD_ACCEPT_DATA_LOSS=(\d+)/.exec(said ?? "")?.[1]);
      // Neither a second attempt nor another number is accepted.
      expect(await refusal()).toContain("acknowledged data is missing");
      expect(await refusal(accepted + 1)).toContain("acknowledged data is missing");
      const engine = await start(accepted);
      expect(engine.lost).toMatchObject({ present: { number: accepted } });
      expect(await missing(engine, ones)).toBeGreaterThan(0);
      await engine.close();
      // The loss is accepted once: the setting covers no later loss, and is no longer needed.
      expect(await refusal()).toBeUndefined();
      const kept = readdirSync(directory).filter((name) => name.includes("-wal.lost-"));
      expect(kept.length).toBe(what === "deleted" ? 0 : 1);
      for (const name of kept) expect(statSync(path.join(directory, name)).mode & 0o777).toBe(0o600);
    });
  }

  it("raises no alarm after kill -9 at any time", async () => {
    for (const writes of [1, 2, 30, 301, 702]) {
      const ones = await killedWriter(writes);
      const engine = await start();
      expect(engine.lost).toBeUndefined();
      expect(await missing(engine, ones)).toBe(0);
      await engine.close();
      rmSync(directory, { recursive: true });
    }
  });

  it("raises none if the record is behind, missing or empty, as after a power failure", async () => {
    await killedWriter(200);
    const record = `${file}-commits`;
    const before = readFileSync(record, "latin1");
    writeFileSync(record, before.replace(/commit \d+/, `commit ${"3".padStart(16, "0")}`));
    expect(await refusal()).toBeUndefined();
    expect(readFileSync(record, "latin1") >= before).toBe(true);
    writeFileSync(record, Buffer.alloc(before.length));
    expect(await refusal()).toBeUndefined();
    rmSync(record);
    expect(await refusal()).toBeUndefined();
    expect(existsSync(record)).toBe(true);
  });

  it("notices an older copy in its place, and a missing file", async () => {
    await (await start()).close();
    copyFileSync(file, `${file}.old`);
    await killedWriter(50);
    await (await start()).close();
    copyFileSync(`${file}.old`, file);
    expect(await refusal()).toContain("hermod.sqlite is an older copy");
    rmSync(file);
    expect(await refusal()).toMatch(/all \d+ commits.*HERMOD_ACCEPT_DATA_LOSS=0/);
  });

  it("refuses a damaged file, after an unclean shutdown", async () => {
    await killedWriter(300);
    // The log is folded in; then the end is that of a killed process, with an invalid page.
    await (await start()).close();
    const pages = statSync(file).size / 8192;
    const handle = openSync(file, "r+");
    for (let page = 8; page < pages; page += 3)
      writeSync(handle, Buffer.alloc(8192, 0xab), 0, 8192, page * 8192);
    closeSync(handle);
    writeFileSync(log, "x");
    expect(await refusal()).toContain("hermod.sqlite is damaged");
  });

  it("counts no commit for a transaction that only read", async () => {
    const engine = await start();
    const client = new MongoClient(engine.url);
    try {
      const c = client.db("t").collection<{ _id: number }>("c");
      await c.insertOne({ _id: 1 });
      const before = readFileSync(`${file}-commits`, "latin1");
      await client.withSession(async (session) => {
        session.startTransaction();
        expect(await c.countDocuments({}, { session })).toBe(1);
        await session.abortTransaction();
      });
      expect(readFileSync(`${file}-commits`, "latin1")).toBe(before);
    } finally {
      await client.close();
      await engine.close();
    }
  });
});
