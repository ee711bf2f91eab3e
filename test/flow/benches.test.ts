import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { tool } from "../harness/tools.ts";

const root = path.resolve(import.meta.dirname, "../..");
const sink = tool("smtp-sink");
const ONCE = ["--rounds", "1", "--peers", "none"];

/** The smallest run of each measurement. */
const benches: Readonly<Record<string, readonly string[]>> = {
  accept: ["--rounds", "1", "--seconds", "1", "--connections", "1", "--modes", "accept-only"],
  memory: ["--messages", "100", "--connections", "2"],
  deliver: [...ONCE, "--messages", "50", "--connections", "2"],
  relay: [...ONCE, "--messages", "50", "--connections", "1", "--modes", "one", "--warm-up", "250"],
  search: ["--messages", "100", "--rounds", "1", "--seconds", "1"],
  storage: ["--messages", "50"],
  webhooks: ["--rounds", "1", "--messages", "50"],
  alerts: [
    ...ONCE,
    "--seconds",
    "1",
    "--rules",
    "1",
    "--silences",
    "1",
    "--connections",
    "1",
    "--modes",
    "unmatched",
  ],
  intel: [...ONCE, "--domains", "2", "--reports", "1"],
};

describe.skipIf(sink.missing)(`the measurements run, however briefly${sink.note}`, () => {
  it.each(Object.entries(benches))("%s", async (name, options) => {
    const args = [path.join(root, "bench/run.js"), name, ...options];
    const { MONGODB_URL: _, ...env } = process.env;
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env }).catch(
      (failed) => {
        throw new Error(`${failed.stdout}\n${failed.stderr}`);
      },
    );
    expect(stdout).toContain(`npm run bench -- ${name}`);
  });

  it("includes every measurement that there is", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      path.join(root, "bench/run.js"),
      "--help",
    ]);
    const named = [...stdout.matchAll(/^npm run bench -- (\w+)/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual(Object.keys(benches).sort());
  });
});
