import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

let folder: string;
// Where nothing is built the command ends at once, and has set up V8 all the same.
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "hermod-young-"));
  for (const name of ["bin", "package.json"]) cpSync(name, path.join(folder, name), { recursive: true });
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Makes objects that live on for a while, which has V8 give young ones all the room that they may have. */
const CHURN = `
  const kept = [];
  for (let n = 0; n < 6_000_000; n++) kept[n % 400_000] = { n, list: [n] };
  const spaces = require("node:v8").getHeapSpaceStatistics();
  console.log(spaces.find(({ space_name }) => space_name === "new_space").space_size);
`;

/** Octets that young objects take, in a thread that the command has started. */
function youngGeneration(): number {
  const command = path.join(folder, "bin/hermod.js");
  const script = `
    import(${JSON.stringify(command)}).then(() => {
      const { Worker } = require("node:worker_threads");
      new Worker(${JSON.stringify(CHURN)}, { eval: true });
    });
  `;
  const { stdout } = spawnSync(process.execPath, ["--eval", script], { encoding: "utf8" });
  return Number(stdout.trim());
}

it("of a thread has 16 MB and as much again to be copied to, on every version of Node.js", () => {
  const bytes = youngGeneration();
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(32 * 1024 * 1024);
});
