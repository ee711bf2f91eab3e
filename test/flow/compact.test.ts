import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type EmbeddedEngine, startEmbeddedEngine } from "../../src/engine/start-embedded-engine.ts";
import { ENGINE_THREAD } from "../harness/engine-thread.ts";

interface Row {
  readonly _id: number;
  readonly pad: string;
}

const MAIN = path.resolve(import.meta.dirname, "../../bin/hermod.js");
const PAD = "x".repeat(20_000);
const ROWS = 1_500;
const KEPT = 500;

/** Creates a file like releases that did not return unused space. */
const FORMER_RELEASE = `
  import Database from "libsql";
  const database = new Database(process.argv[1]);
  database.prepare("PRAGMA page_size=8192").all();
  database.prepare("PRAGMA journal_mode=WAL").all();
  database.exec("CREATE TABLE trial (bytes BLOB NOT NULL)");
  database.close();
`;

let former: string;
let directory: string;
const fileIn = (folder: string) => path.join(folder, "hermod.sqlite");

const compact = () => spawnSync(process.execPath, [MAIN, "compact"], { env: settings(), encoding: "utf8" });
const settings = () => ({ PATH: process.env.PATH, HERMOD_DATA_DIR: directory });

async function withRows<T>(work: (engine: EmbeddedEngine, client: MongoClient) => Promise<T>): Promise<T> {
  const engine = await startEmbeddedEngine({ directory, threadEntry: ENGINE_THREAD });
  const client = new MongoClient(engine.url);
  try {
    return await work(engine, client);
  } finally {
    await client.close();
    await engine.close();
  }
}

const rowsOf = (client: MongoClient) => client.db("t").collection<Row>("rows");

async function expectAllThere(): Promise<void> {
  await withRows(async (_, client) => {
    const found = await rowsOf(client).find().sort({ _id: 1 }).toArray();
    expect(found.map(({ _id }) => _id)).toEqual(Array.from({ length: KEPT }, (_, n) => n * (ROWS / KEPT)));
    expect(found.every(({ pad }) => pad === PAD)).toBe(true);
    expect(await rowsOf(client).countDocuments({ pad: { $gte: "" } })).toBe(KEPT);
  });
  expect(readdirSync(directory).filter((name) => name.includes("compact"))).toEqual([]);
}

/** A file with two thirds of unused space, in `former`. */
beforeAll(async () => {
  former = mkdtempSync(path.join(tmpdir(), "hermod-compact-"));
  directory = former;
  execFileSync(process.execPath, ["--input-type=module", "-e", FORMER_RELEASE, fileIn(former)]);
  await withRows(async (_, client) => {
    await rowsOf(client).createIndex({ pad: 1, _id: 1 });
    for (let from = 0; from < ROWS; from += 500) {
      await rowsOf(client).insertMany(Array.from({ length: 500 }, (_, n) => ({ _id: from + n, pad: PAD })));
    }
    const all = Array.from({ length: ROWS }, (_, n) => n);
    await rowsOf(client).deleteMany({ _id: { $in: all.filter((n) => n % (ROWS / KEPT) !== 0) } });
  });
});
afterAll(() => rmSync(former, { recursive: true, force: true }));
afterEach(() => {
  if (directory !== former) rmSync(directory, { recursive: true, force: true });
});

function takeCopy(): void {
  directory = mkdtempSync(path.join(tmpdir(), "hermod-compact-"));
  cpSync(former, directory, { recursive: true });
}

describe("hermod compact", () => {
  it("returns unused space of a file from a former release, and the file does so automatically from then on", async () => {
    takeCopy();
    const before = statSync(fileIn(directory)).size;
    expect(await withRows(async ({ stuckBytes }) => stuckBytes)).toBeGreaterThan(before / 2);
    const ran = compact();
    const after = statSync(fileIn(directory)).size;
    expect([ran.status, ran.stdout]).toEqual([
      0,
      `Compacted the database from ${before} to ${after} bytes.\n`,
    ]);
    expect(after).toBeLessThan(before / 2);
    expect(statSync(fileIn(directory)).mode & 0o777).toBe(0o600);
    await expectAllThere();
    expect(await withRows(async ({ stuckBytes }) => stuckBytes)).toBe(0);
    expect(compact().status).toBe(0);
    await expectAllThere();
  });

  it("changes nothing while a process uses the database, or without a database", async () => {
    takeCopy();
    const before = statSync(fileIn(directory)).size;
    await withRows(async () => {
      const ran = compact();
      expect([ran.status, ran.stderr]).toEqual([1, expect.stringContaining("Stop it first")]);
    });
    expect(statSync(fileIn(directory)).size).toBe(before);
    rmSync(fileIn(directory));
    const ran = compact();
    expect([ran.status, ran.stderr]).toEqual([1, expect.stringContaining("there is no ")]);
    expect(existsSync(fileIn(directory))).toBe(false);
  });

  /** Progress that is visible from outside. */
  const moments: Readonly<Record<string, () => boolean>> = {
    "as soon as it writes": () => existsSync(`${fileIn(directory)}-compact`),
    "when a part is written": () => sizeOfCopy() > 5_000_000,
    "when more is written": () => sizeOfCopy() > 15_000_000,
    "when the file has changed": () => statSync(fileIn(directory)).size < statSync(fileIn(former)).size / 2,
  };
  const sizeOfCopy = () => statSync(`${fileIn(directory)}-compact`, { throwIfNoEntry: false })?.size ?? 0;

  it.each(Object.entries(moments))(
    "loses nothing when it is killed %s, and can be repeated",
    async (_, isMoment) => {
      takeCopy();
      const child = spawn(process.execPath, [MAIN, "compact"], { env: settings(), stdio: "ignore" });
      const exited = once(child, "exit");
      while (child.exitCode === null && !isMoment()) await turn();
      child.kill("SIGKILL");
      await exited;
      await expectAllThere();
      expect(compact().status).toBe(0);
      await expectAllThere();
    },
  );
});
