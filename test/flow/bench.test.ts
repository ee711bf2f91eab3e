import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const run = promisify(execFile);
const { MONGODB_URL } = process.env;

const names = (await run(process.execPath, ["bench/run.js", "--help"])).stdout.matchAll(
  /^npm run bench -- (\w+) /gm,
);

/** The full benches do not run with every change. */
describe("the short form of each bench", () => {
  const here = [...names].map(([, name = ""]) => name).filter((name) => name !== "conflicts" || MONGODB_URL);
  it.each(here)("%s starts, measures and ends", async (name) => {
    const directory = await mkdtemp(path.join(tmpdir(), "hermod-bench-"));
    const json = path.join(directory, "figures.json");
    const options = ["bench/run.js", name, "--short", "--dir", directory, "--json", json];
    await run(process.execPath, options, { timeout: 110_000 });
    const figures = numbersIn(JSON.parse(await readFile(json, "utf8")));
    expect(figures.filter((figure) => figure > 0).length).toBeGreaterThan(3);
    // The run leaves no data behind.
    expect(await readdir(directory)).toEqual(["figures.json"]);
    await rm(directory, { recursive: true });
  });
});

it.skipIf(MONGODB_URL)("measures conflicts on MongoDB only, and names the missing setting", async () => {
  const options = ["bench/run.js", "conflicts", "--short"];
  await expect(run(process.execPath, options)).rejects.toThrow("conflicts: MONGODB_URL is needed");
});

/** All numbers in a value of JSON. */
function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

/** This bench uses internal parts of the worker. */
it("measures webhooks", async () => {
  const options = ["bench/run.js", "webhooks", "--rounds", "1", "--messages", "40", "--endpoints", "1,10"];
  const { stdout } = await run(process.execPath, options, { timeout: 110_000 });
  const table = stdout.slice(stdout.indexOf("webhooks, 40 events"));
  const rows = table.split("\n").filter((line) => / \/ /.test(line));
  expect(rows).toHaveLength(6);
  for (const row of rows) expect(Number(/ (\d+(?:\.\d+)?) \/ /.exec(row)?.[1])).toBeGreaterThan(0);
});

/** The options of the alert bench are those of its shortest run. */
it("measures alerts", async () => {
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

it("measures intel", async () => {
  const scale = ["--rounds", "1", "--domains", "4", "--reports", "2"];
  const options = ["bench/run.js", "intel", ...scale, "--peers", "none"];
  const { stdout } = await run(process.execPath, options, { timeout: 110_000 });
  const rows = stdout.split("\n").filter((line) => /\d \/ /.test(line));
  expect(rows.filter((row) => row.startsWith("Hermod, "))).toHaveLength(4);
  // Three kinds of check runs with the store, one list, one report.
  expect(rows).toHaveLength(4 + 3 + 1 + 1);
  for (const row of rows) expect(Number(/ (\d+(?:\.\d+)?) \/ /.exec(row)?.[1])).toBeGreaterThan(0);
});
