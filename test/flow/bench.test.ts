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

/** The options of the alert bench are those of its shortest run. */
it("the bench of alerts still measures something", async () => {
  const scale = [
    "--rounds",
    "1",
    "--seconds",
    "1",
    "--connections",
    "4",
    "--rules",
    "20",
    "--silences",
    "10",
  ];
  const options = ["bench/run.js", "alerts", ...scale, "--peers", "none"];
  const { stdout } = await run(process.execPath, options, { timeout: 110_000 });
  const rows = stdout.split("\n").filter((line) => /\d \/ /.test(line));
  expect(rows.filter((row) => row.startsWith("20 rules"))).toHaveLength(4);
  expect(rows.filter((row) => row.startsWith("Hermod, "))).toHaveLength(3);
  for (const row of rows) expect(Number(/ (\d+(?:\.\d+)?) \/ /.exec(row)?.[1])).toBeGreaterThan(0);
  expect(stdout).toContain("\ndurable: ");
});

it("the bench of intel still measures something", async () => {
  const scale = ["--rounds", "1", "--domains", "4", "--reports", "2"];
  const options = ["bench/run.js", "intel", ...scale, "--peers", "none"];
  const { stdout } = await run(process.execPath, options, { timeout: 110_000 });
  const rows = stdout.split("\n").filter((line) => /\d \/ /.test(line));
  expect(rows.filter((row) => row.startsWith("Hermod, "))).toHaveLength(4);
  // Three ways of looking with the store, one list, one report.
  expect(rows).toHaveLength(4 + 3 + 1 + 1);
  for (const row of rows) expect(Number(/ (\d+(?:\.\d+)?) \/ /.exec(row)?.[1])).toBeGreaterThan(0);
});
