import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openDataDir } from "../../src/roles/data-dir.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hermod-data-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("gives concurrent processes the same new token, readable only by its owner, without a temporary file", async () => {
  const processes = await Promise.all(Array.from({ length: 8 }, () => openDataDir(folder)));
  const tokens = await Promise.all(processes.map((dataDir) => dataDir.callerToken("front_end")));
  expect(new Set(tokens).size).toBe(1);
  expect(tokens[0]).toMatch(/^[A-Za-z0-9]{43}$/);
  expect(await readdir(folder)).toEqual(["grpc-token-front-end"]);
  expect((await stat(path.join(folder, "grpc-token-front-end"))).mode & 0o777).toBe(0o600);
  expect(await processes[0]?.callerToken("front_end")).toBe(tokens[0]);
  expect(await processes[0]?.callerToken("worker")).not.toBe(tokens[0]);
});
