import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = promisify(execFile);

/** It uses the worker's own parts, and nobody runs it with every change. */
it("the bench of webhooks still measures something", async () => {
  const options = ["bench/run.js", "webhooks", "--rounds", "1", "--messages", "40"];
  const { stdout } = await run(process.execPath, options, { timeout: 110_000 });
  const table = stdout.slice(stdout.indexOf("webhooks, 40 events"));
  const rows = table.split("\n").filter((line) => / \/ /.test(line));
  expect(rows).toHaveLength(8);
  for (const row of rows) expect(Number(/ (\d+(?:\.\d+)?) \/ /.exec(row)?.[1])).toBeGreaterThan(0);
});
