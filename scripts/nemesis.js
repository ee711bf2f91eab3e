#!/usr/bin/env node
// Faults that a seed draws (kills, pauses, cut links, wrong clocks, slow and silent recipients, lost DNS, a full disk,
// step-downs, a lost majority, …) under load, and a check of what clients, recipients and /readyz have seen:
// test/nemesis. On one process with the embedded engine, and on two cores, three workers and two front ends with a
// throw-away replica set.
//
//   npm run nemesis                                 one seed, drawn, a minute each
//   npm run nemesis -- --seeds 1-10 --seconds 600   ten seeds of ten minutes each
//   npm run nemesis -- --seeds 7 --world cluster    that seed again: the same faults in the same order
//   npm run nemesis -- --faults "kill,clock step"   these alone
//
// With --report FILE each run is a line of JSON there as soon as it has ended; a run that FILE has is not made again,
// so that a long proof goes on where it was ended. The two worlds may run side by side, and into one FILE.
import { execFileSync, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: String(randomInt(1, 1_000_000)) },
    seconds: { type: "string", default: "60" },
    "per-second": { type: "string", default: "30" },
    world: { type: "string", default: "single,cluster" },
    faults: { type: "string" },
    report: { type: "string" },
  },
});
const [first, last = first] = values.seeds.split("-").map(Number);
const worlds = values.world.split(",");
if (!(first > 0 && last >= first) || worlds.some((world) => world !== "single" && world !== "cluster")) {
  process.stderr.write("--seeds takes 7 or 1-10, --world takes single, cluster or both\n");
  process.exit(2);
}

const { MONGODB_URL: _other, ...env } = process.env;
const dir = mkdtempSync(path.join(tmpdir(), "hermod-nemesis-mongodb-"));
const mongodb = (...args) =>
  execFileSync(process.execPath, ["scripts/test-mongodb.js", ...args, "--dir", dir], { encoding: "utf8" });
const REPORT = /^nemesis, seed \d+: (\{.*\})$/;
const { report: file } = values;
const rows = file !== undefined && existsSync(file) ? readRows(file) : [];
const isKnown = (seed, world) =>
  rows.some((row) => row.seed === seed && row.world === world && row.seconds === Number(values.seconds));
let ending = false;
let underWay;

function readRows(name) {
  return readFileSync(name, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** Runs one seed in one world; with its report, if it came so far, it is a row of the table. */
async function run(seed, world, more) {
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "test/nemesis/nemesis.test.ts"];
  const child = spawn(process.execPath, vitest, {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...env,
      ...more,
      HERMOD_TEST_NEMESIS_SEED: String(seed),
      HERMOD_TEST_NEMESIS_SECONDS: values.seconds,
      HERMOD_TEST_NEMESIS_PER_SECOND: values["per-second"],
      ...(values.faults && { HERMOD_TEST_NEMESIS_FAULTS: values.faults }),
    },
  });
  underWay = child;
  const exited = new Promise((resolve) => child.once("close", resolve));
  let line = "";
  let report = {};
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    process.stdout.write(chunk);
    const lines = (line + chunk).split("\n");
    line = lines.pop() ?? "";
    for (const each of lines) {
      const found = REPORT.exec(each)?.[1];
      if (found) report = JSON.parse(found);
    }
  }
  const holds = (await exited) === 0;
  // An interrupted run must be repeated.
  if (ending) return;
  if (!holds) process.exitCode = 1;
  const row = { seed, world, seconds: Number(values.seconds), holds, ...report };
  rows.push(row);
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(row)}\n`);
}

/** "never" if a condition was never met. */
function longest(seconds) {
  const all = Object.values(seconds);
  return all.includes(null) ? "never" : Math.max(...all);
}

function table() {
  const columns = [
    ["seed", ({ seed }) => seed],
    ["world", ({ world }) => world],
    ["s", ({ seconds }) => seconds],
    ["holds", ({ holds }) => (holds ? "yes" : "NO")],
    ["strikes", ({ strikes = {} }) => Object.values(strikes).reduce((sum, count) => sum + count, 0)],
    ...["submitted", "accepted", "refused", "unknown", "arrived", "doubled"].map((name) => [
      name,
      (row) => row[name] ?? "-",
    ]),
    ["lost", ({ violations }) => violations?.lost.length ?? "-"],
    ["no, yet sent", ({ violations }) => violations?.deliveredAfterNo.length ?? "-"],
    ["looks", ({ looks = "-" }) => looks],
    ["unready", ({ unreadyLooks = "-" }) => unreadyLooks],
    ["median ms", ({ medianAnswerMs = "-" }) => medianAnswerMs],
    ["longest ms", ({ longestAnswerMs = "-" }) => longestAnswerMs],
    ["recovered s", ({ recoveredSeconds }) => (recoveredSeconds ? longest(recoveredSeconds) : "-")],
  ];
  const lines = [columns.map(([name]) => name), columns.map(() => "---")];
  for (const row of rows) lines.push(columns.map(([, of]) => of(row)));
  process.stdout.write(`\n${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`);
}

// This process only has to print the results and clean up.
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    ending = true;
    underWay?.kill(signal);
  });
}
try {
  for (let seed = first; seed <= last; seed++) {
    if (worlds.includes("single") && !ending && !isKnown(seed, "single")) await run(seed, "single", {});
    if (worlds.includes("cluster") && !ending && !isKnown(seed, "cluster")) {
      // A new one for each seed: what one run did to it must not show in the next.
      const url = /^MONGODB_URL=(.*)$/m.exec(mongodb("start", "--nodes", "3"))?.[1];
      await run(seed, "cluster", { MONGODB_URL: url, HERMOD_TEST_REPLICA_SET_DIR: dir });
      mongodb("stop");
    }
  }
} finally {
  mongodb("stop");
  rmSync(dir, { recursive: true, force: true });
  table();
}
