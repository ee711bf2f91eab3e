import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

let folder: string;
// Without a build the command ends at once, but has configured V8.
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "hermod-young-"));
  for (const name of ["bin", "package.json"]) cpSync(name, path.join(folder, name), { recursive: true });
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Creates objects that survive for a while, so that V8 gives young objects all the memory that they may have. */
const CHURN = `
  const kept = [];
  for (let n = 0; n < 6_000_000; n++) kept[n % 400_000] = { n, list: [n] };
  const spaces = require("node:v8").getHeapSpaceStatistics();
  console.log(spaces.find(({ space_name }) => space_name === "new_space").space_size);
`;

/** Bytes of young objects in a thread that the command has started. */
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

it("of a thread has 16 MB and the same amount for copies, on every version of Node.js", () => {
  const bytes = youngGeneration();
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(32 * 1024 * 1024);
});
