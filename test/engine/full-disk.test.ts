import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Collection, MongoClient } from "mongodb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEngine, type Engine } from "../../src/engine/engine.ts";
import { type Server, startServer } from "../../src/engine/server/server.ts";
import { shrinkFile } from "../../src/engine/shrink.ts";
import { startEmbeddedEngine } from "../../src/engine/start-embedded-engine.ts";
import { openSqliteFile, type SqliteFile } from "../../src/engine/storage/database.ts";
import { ENGINE_THREAD } from "../harness/engine-thread.ts";
import { tool } from "../harness/tools.ts";
import { freshDirectory } from "./harness.ts";

interface Padded {
  _id: number;
  pad: string;
}

const PAD = "x".repeat(400_000);
const FULL = { code: 14031 };

let directory: string;
let client: MongoClient;

beforeEach(() => {
  directory = freshDirectory();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const padded = (): Collection<Padded> => client.db("t").collection<Padded>("c");
const ping = () => client.db("t").command({ ping: 1 });

/** Inserts until there is no space; returns the number of stored documents. */
async function fill(from: number): Promise<number> {
  for (let n = 0; ; n++) {
    try {
      await padded().insertOne({ _id: from + n, pad: PAD });
    } catch (error) {
      expect(error).toMatchObject(FULL);
      return n;
    }
  }
}

describe("an engine without disk space", () => {
  let file: SqliteFile;
  let engine: Engine;
  let server: Server;
  const troubles: (string | undefined)[] = [];

  beforeEach(async () => {
    troubles.length = 0;
    file = openSqliteFile(directory);
    engine = createEngine(file, Date.now, (trouble) => troubles.push(trouble?.message));
    const socket = join(directory, "s.sock");
    server = await startServer(engine, socket, (error) => {
      throw error;
    });
    client = new MongoClient(`mongodb://${encodeURIComponent(socket)}/?directConnection=true`);
  });
  afterEach(async () => {
    await client.close();
    await server.close();
    file.close();
  });

  it("answers reads, also in a group with a write, and refuses a ping", async () => {
    await padded().insertOne({ _id: 0, pad: "" });
    await ping();
    file.exec("PRAGMA max_page_count=200");
    await fill(1);
    await expect(ping()).rejects.toMatchObject(FULL);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) =>
        n % 2 === 0 ? padded().insertOne({ _id: 1000 + n, pad: PAD }) : padded().countDocuments({ _id: 0 }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBe(20);
    engine.space.tryAgain();
    await expect(ping()).rejects.toMatchObject(FULL);
    file.exec("PRAGMA max_page_count=100000");
    engine.space.tryAgain();
    await ping();
    expect(troubles).toEqual([expect.stringContaining("out of disk space"), undefined]);
    await padded().insertOne({ _id: 5000, pad: PAD });
  });

  it("returns unused space in small steps", async () => {
    await padded().insertMany(Array.from({ length: 60 }, (_, n) => ({ _id: n, pad: PAD })));
    const pages = () => Number(file.prepare("PRAGMA page_count").get([])?.[0]);
    const before = pages();
    await padded().deleteMany({});
    const sizes: number[] = [];
    let more = true;
    while (more) {
      server.exclusively(() => {
        more = shrinkFile(file);
      });
      sizes.push(pages());
    }
    expect(sizes.length).toBeGreaterThan(10);
    expect(pages()).toBeLessThanOrEqual(1100);
    expect(before - (sizes[0] ?? 0)).toBeLessThanOrEqual(64);
    expect(file.prepare("PRAGMA quick_check").all([])).toEqual([["ok"]]);
  });
});

const mounting = tool("mount");

describe(`a full disk${mounting.note}`, () => {
  it.skipIf(mounting.missing)(
    "does not end the engine, and writes are accepted again once there is space",
    async () => {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m", "hermod-test", directory]);
      try {
        const troubles: (string | undefined)[] = [];
        let told = () => {};
        const engine = await startEmbeddedEngine({
          directory,
          threadEntry: ENGINE_THREAD,
          housekeepingIntervalMs: 20,
          troubled: (trouble) => {
            troubles.push(trouble);
            told();
          },
        });
        client = new MongoClient(engine.url);
        try {
          let failure: Error | undefined;
          engine.failed.then((error) => {
            failure = error;
          });
          await padded().createIndex({ until: 1 }, { expireAfterSeconds: 0 });
          const ballast = join(directory, "ballast");
          writeFileSync(ballast, Buffer.alloc(12 * 1024 * 1024));
          const stored = await fill(0);
          // These documents would expire from now on, but the write is refused.
          await expect(
            padded().updateMany({}, { $set: { until: new Date(0), pad: `${PAD}y` } }),
          ).rejects.toMatchObject(FULL);
          for (let n = 0; n < 100; n++) expect(await padded().countDocuments()).toBe(stored);
          await expect(ping()).rejects.toMatchObject(FULL);
          expect(failure).toBeUndefined();
          const recovered = new Promise<void>((resolve) => {
            told = () => {
              if (troubles.at(-1) === undefined) resolve();
            };
          });
          rmSync(ballast);
          await recovered;
          await ping();
          await padded().insertOne({ _id: 10_000, pad: PAD });
          expect(failure).toBeUndefined();
        } finally {
          await client.close();
          await engine.close();
        }
      } finally {
        execFileSync("umount", [directory]);
      }
    },
  );
});
