import { spawnSync } from "node:child_process";
import { copyFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Hermod, startHermod } from "../harness/start-hermod.ts";

const MAIN = path.resolve(import.meta.dirname, "../../bin/hermod.js");
const onMongodb = process.env.MONGODB_URL !== undefined;

describe("hermod backup", () => {
  let hermod: Hermod;
  beforeAll(async () => {
    hermod = await startHermod();
  });
  afterAll(() => hermod.dispose());

  const backup = (file: string) =>
    spawnSync(process.execPath, [MAIN, "backup", file], { env: hermod.env, encoding: "utf8" });

  it.skipIf(onMongodb)("copies the database of a running Hermod once, and the copy starts", async () => {
    const file = path.join(hermod.dataDir, "copy");
    const first = backup(file);
    expect([first.status, first.stdout]).toEqual([0, `Copied the database to ${file}.\n`]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const second = backup(file);
    expect(second.status).toBe(1);
    expect(second.stderr).toContain(`${file} already exists`);
    const { keys } = await hermod.core.keys.listKeys({});
    await hermod.stop();
    copyFileSync(file, path.join(hermod.dataDir, "hermod.sqlite"));
    // With the record of the later commits, the start would be refused.
    rmSync(path.join(hermod.dataDir, "hermod.sqlite-commits"));
    hermod = await hermod.restart();
    expect((await hermod.core.keys.listKeys({})).keys.map(({ id }) => id)).toEqual(keys.map(({ id }) => id));
  });

  it.skipIf(!onMongodb)("names mongodump if the database is a MongoDB", () => {
    const ran = backup("/tmp/never-made");
    expect(ran.status).toBe(1);
    expect(ran.stderr).toContain("mongodump");
  });
});
