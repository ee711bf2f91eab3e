import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { MongoClient } from "mongodb";
import { afterEach, describe, expect, it } from "vitest";
import { DirectoryInUseError, startEmbeddedEngine } from "../../src/engine/start-embedded-engine.ts";
import { ENGINE_THREAD } from "../harness/engine-thread.ts";
import { freshDirectory } from "./harness.ts";

const EXITS = 8;

/** Runs the writing process and kills it after this number of acknowledged writes; returns those writes. */
async function crashAfter(directory: string, writes: number): Promise<Map<string, number[]>> {
  const child = spawn(process.execPath, ["test/engine/crash-child.js", directory], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const acknowledged = new Map<string, number[]>();
  let seen = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [kind = "", value] = line.split(" ");
    acknowledged.set(kind, [...(acknowledged.get(kind) ?? []), Number(value)]);
    if (++seen === writes) child.kill("SIGKILL");
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return acknowledged;
}

describe("the embedded engine's data", () => {
  let directory = "";
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it("holds every acknowledged write after kill -9, and no part of a transaction", async () => {
    directory = freshDirectory();
    const acknowledged = await crashAfter(directory, 2000);
    const engine = await startEmbeddedEngine({ directory, threadEntry: ENGINE_THREAD });
    const client = new MongoClient(engine.url);
    try {
      const db = client.db("crash");
      const ones = await db.collection<{ _id: string; n: number; pad: string }>("ones").find().toArray();
      const stored = new Set(ones.map(({ n }) => n));
      expect((acknowledged.get("one") ?? []).filter((n) => !stored.has(n))).toEqual([]);
      expect(ones.every(({ _id, n, pad }) => _id === `one-${n}` && pad.length === 500)).toBe(true);
      // The index agrees with the documents.
      expect(await db.collection("ones").countDocuments({ n: { $gte: 0 } })).toBe(ones.length);
      const left = (await db.collection("left").find().sort({ _id: 1 }).toArray()).map(({ _id }) =>
        Number(_id),
      );
      const right = (await db.collection("right").find().sort({ _id: 1 }).toArray()).map(({ _id }) =>
        Number(_id),
      );
      expect(left).toEqual(right);
      expect((acknowledged.get("pair") ?? []).filter((n) => !left.includes(n))).toEqual([]);
      const counter = await db.collection<{ _id: string; n: number }>("counter").findOne({ _id: "c" });
      const counted = Math.max(0, ...(acknowledged.get("count") ?? []));
      expect(counter?.n).toBeGreaterThanOrEqual(counted);
      expect(counter?.n).toBeLessThanOrEqual(counted + 1);
    } finally {
      await client.close();
      await engine.close();
    }
  });

  it("does not block an exit under load: the process ends with its own code", async () => {
    directory = freshDirectory();
    const ends: unknown[] = [];
    for (let round = 0; round < EXITS; round++) {
      const child = spawn(process.execPath, ["test/engine/exit-child.js", directory, String(round)], {
        stdio: "ignore",
      });
      ends.push(await once(child, "exit"));
    }
    expect(ends).toEqual(Array.from({ length: EXITS }, () => [7, null]));
  });

  it("is refused to a second engine, and free after the first has closed", async () => {
    directory = freshDirectory();
    const first = await startEmbeddedEngine({ directory, threadEntry: ENGINE_THREAD });
    await expect(startEmbeddedEngine({ directory, threadEntry: ENGINE_THREAD })).rejects.toThrow(
      DirectoryInUseError,
    );
    const client = new MongoClient(first.url);
    await client.db("t").collection<{ _id: number }>("c").insertOne({ _id: 1 });
    await client.close();
    await first.close();
    const second = await startEmbeddedEngine({ directory, threadEntry: ENGINE_THREAD });
    const again = new MongoClient(second.url);
    expect(await again.db("t").collection("c").countDocuments()).toBe(1);
    await again.close();
    await second.close();
  });
});
