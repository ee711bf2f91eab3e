import { chmodSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { MongoClient } from "mongodb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startEmbeddedEngine } from "../../src/engine/start-embedded-engine.ts";
import { ENGINE_THREAD } from "../harness/engine-thread.ts";
import { freshDirectory } from "./harness.ts";

let root: string;
let directory: string;

beforeEach(() => {
  root = freshDirectory();
  directory = root;
  // As a volume of Docker, or a folder that was there.
  chmodSync(directory, 0o777);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The modes of the database's files, its socket aside, when something has been written. */
async function modesWhileRunning(): Promise<Record<string, string>> {
  const engine = await startEmbeddedEngine({ directory, threadEntry: ENGINE_THREAD });
  const client = new MongoClient(engine.url);
  try {
    await client.db("t").collection("c").insertOne({ secret: "s3cret" });
    return modes();
  } finally {
    await client.close();
    await engine.close();
  }
}

function modes(): Record<string, string> {
  const names = readdirSync(directory).filter((name) => name.startsWith("hermod.sqlite"));
  const modeOf = (name: string) => (statSync(path.join(directory, name)).mode & 0o777).toString(8);
  return Object.fromEntries(names.map((name) => [name, modeOf(name)]));
}

describe("the files of the embedded engine", () => {
  it("are readable only by their owner, even in a folder that is open to all", async () => {
    expect(await modesWhileRunning()).toEqual({
      "hermod.sqlite": "600",
      "hermod.sqlite-commits": "600",
      "hermod.sqlite-wal": "600",
    });
  });

  it("are made private: those of an earlier release, leftovers of a crash, copies", async () => {
    await modesWhileRunning();
    const copies = ["hermod.sqlite-journal", "hermod.sqlite-shm", "hermod.sqlite.backup"];
    for (const name of copies) writeFileSync(path.join(directory, name), "");
    for (const name of ["hermod.sqlite", ...copies]) chmodSync(path.join(directory, name), 0o664);
    const found = await modesWhileRunning();
    expect(found).toMatchObject({
      "hermod.sqlite": "600",
      "hermod.sqlite-wal": "600",
      "hermod.sqlite.backup": "600",
    });
    expect(new Set(Object.values(found))).toEqual(new Set(["600"]));
  });

  it("are in a folder that only its owner can open, if it was missing", async () => {
    directory = path.join(root, "made", "here");
    await modesWhileRunning();
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(path.dirname(directory)).mode & 0o777).toBe(0o700);
  });
});
