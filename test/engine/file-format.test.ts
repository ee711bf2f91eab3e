import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { MongoClient } from "mongodb";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startEmbeddedEngine } from "../../src/engine/start-embedded-engine.ts";
import { FILE_FORMAT } from "../../src/engine/storage/database.ts";
import { ENGINE_THREAD } from "../harness/engine-thread.ts";
import { freshDirectory } from "./harness.ts";

/** The place of SQLite's `user_version` in the file (https://www.sqlite.org/fileformat.html, section 1.3). */
const USER_VERSION_AT = 60;
const MAIN = path.resolve(import.meta.dirname, "../../bin/hermod.js");
const FIXTURE = path.resolve(import.meta.dirname, "../fixtures/databases/0.1.0/hermod.sqlite.gz");

let directory: string;
beforeEach(() => {
  directory = freshDirectory();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const file = () => path.join(directory, "hermod.sqlite");
const format = () => readFileSync(file()).readUInt32BE(USER_VERSION_AT);

async function open(): Promise<number> {
  const engine = await startEmbeddedEngine({ directory, threadEntry: ENGINE_THREAD });
  const client = new MongoClient(engine.url);
  try {
    return await client.db("hermod").collection("messages").countDocuments();
  } finally {
    await client.close();
    await engine.close();
  }
}

function setFormat(number: number): void {
  const bytes = readFileSync(file());
  bytes.writeUInt32BE(number, USER_VERSION_AT);
  writeFileSync(file(), bytes);
}

const contents = () =>
  readdirSync(directory).map((name) => [name, readFileSync(path.join(directory, name)).toString("base64")]);

it("a new file has the format of this release", async () => {
  await open();
  expect(format()).toBe(FILE_FORMAT);
});

it("a file of 0.1.0, which has no format number, is read, and then has one, also after a compaction", async () => {
  writeFileSync(file(), gunzipSync(readFileSync(FIXTURE)));
  expect(format()).toBe(0);
  expect(await open()).toBeGreaterThan(10);
  expect(format()).toBe(FILE_FORMAT);
  const env = { PATH: process.env.PATH, HERMOD_DATA_DIR: directory };
  expect(spawnSync(process.execPath, [MAIN, "compact"], { env }).status).toBe(0);
  expect(format()).toBe(FILE_FORMAT);
  expect(await open()).toBeGreaterThan(10);
});

it("a file of a later format is refused with a message, and stays unchanged", async () => {
  await open();
  setFormat(FILE_FORMAT + 1);
  const before = contents();
  const words = `hermod.sqlite has the format ${FILE_FORMAT + 1} of a newer Hermod; this one supports formats up to ${FILE_FORMAT}. Nothing was changed. Start the newer release`;
  await expect(open()).rejects.toThrow(words);
  expect(contents()).toEqual(before);

  for (const command of [["start"], ["compact"]]) {
    const copy = freshDirectory();
    cpSync(directory, copy, { recursive: true });
    const env = { PATH: process.env.PATH, HERMOD_DATA_DIR: copy };
    const ran = spawnSync(process.execPath, [MAIN, ...command], { env, encoding: "utf8" });
    expect(ran.status).toBe(command[0] === "start" ? 2 : 1);
    expect(ran.stderr).toContain(words);
    expect(readFileSync(path.join(copy, "hermod.sqlite"))).toEqual(readFileSync(file()));
    rmSync(copy, { recursive: true });
  }
});
