#!/usr/bin/env node
// Faults that a seed draws (kills, pauses, cut links, slow and silent recipients, a full disk, step-downs, a lost
// majority, …) under load, and a check of what clients, recipients and /readyz have seen: test/nemesis. On one process
// with the embedded engine, and on two cores, three workers and two front ends with a throw-away replica set.
//
//   npm run nemesis                                 one seed, drawn, a minute each
//   npm run nemesis -- --seeds 1-10 --seconds 600   ten seeds of ten minutes each
//   npm run nemesis -- --seeds 7 --world cluster    that seed again: the same faults at the same moments
//
// A long run goes on where it was ended: --seeds 4-10. The figures are in a table at the end.
import { execFileSync, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: String(randomInt(1, 1_000_000)) },
    seconds: { type: "string", default: "60" },
    "per-second": { type: "string", default: "30" },
    world: { type: "string", default: "single,cluster" },
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
const rows = [];
let ending = false;

/** Runs one seed in one world; its report, if it came so far, is a row of the table. */
async function run(seed, world, more) {
  const child = spawn("npx", ["vitest", "run", "test/nemesis/nemesis.test.ts"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...env,
      ...more,
      HERMOD_TEST_NEMESIS_SEED: String(seed),
      HERMOD_TEST_NEMESIS_SECONDS: values.seconds,
      HERMOD_TEST_NEMESIS_PER_SECOND: values["per-second"],
    },
  });
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
  if (!holds) process.exitCode = 1;
  rows.push({ seed, world, holds, ...report });
}

function table() {
  const columns = [
    ["seed", ({ seed }) => seed],
    ["world", ({ world }) => world],
    ["holds", ({ holds }) => (holds ? "yes" : "NO")],
    ["strikes", ({ strikes = {} }) => Object.values(strikes).reduce((sum, count) => sum + count, 0)],
    ...["submitted", "accepted", "refused", "unknown", "arrived", "doubled", "lost"].map((name) => [
      name,
      (row) => row[name] ?? "-",
    ]),
    ["no, yet sent", ({ deliveredAfterNo = "-" }) => deliveredAfterNo],
    ["median ms", ({ medianAnswerMs = "-" }) => medianAnswerMs],
    ["longest ms", ({ longestAnswerMs = "-" }) => longestAnswerMs],
    ["recovered s", ({ recoveredSeconds = "-" }) => recoveredSeconds],
  ];
  const lines = [columns.map(([name]) => name), columns.map(() => "---")];
  for (const row of rows) lines.push(columns.map(([, of]) => of(row)));
  process.stdout.write(`\n${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`);
}

// The tests and MongoDB hear of Ctrl-C as well: what is left for this process is to print what there is, and clear up.
process.on("SIGINT", () => {
  ending = true;
});
try {
  for (let seed = first; seed <= last && !ending; seed++) {
    if (worlds.includes("single")) await run(seed, "single", {});
    if (worlds.includes("cluster") && !ending) {
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
