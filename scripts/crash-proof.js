#!/usr/bin/env node
// The crash proof of delivery (test/flow/delivery-crash.test.ts) in its full size, on the embedded engine and on a
// throw-away replica set of three nodes. Takes about ten minutes; the figures are in the lines `delivery crash: …`.
//
//   npm run crash-proof                    20,000 messages, 24 kills of workers, one every five seconds
//   HERMOD_TEST_CRASH_MESSAGES=50000 HERMOD_TEST_CRASH_KILLS=60 npm run crash-proof
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const { MONGODB_URL: _other, ...env } = process.env;
env.HERMOD_TEST_CRASH_MESSAGES ??= "20000";
env.HERMOD_TEST_CRASH_KILLS ??= "24";
const dir = mkdtempSync(path.join(tmpdir(), "hermod-crash-proof-"));
const mongodb = (...args) =>
  execFileSync(process.execPath, ["scripts/test-mongodb.js", ...args, "--dir", dir], { encoding: "utf8" });

function prove(more) {
  const { status } = spawnSync("npx", ["vitest", "run", "test/flow/delivery-crash.test.ts"], {
    stdio: "inherit",
    env: { ...env, ...more },
  });
  if (status !== 0) process.exitCode = 1;
}

// The tests and MongoDB also receive Ctrl-C. This process only has to clean up.
process.on("SIGINT", () => undefined);
try {
  prove({});
  const url = /^MONGODB_URL=(.*)$/m.exec(mongodb("start", "--nodes", "3"))?.[1];
  prove({ MONGODB_URL: url, HERMOD_TEST_REPLICA_SET_DIR: dir });
} finally {
  mongodb("stop");
  rmSync(dir, { recursive: true, force: true });
}
