import { appendFileSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { afterAll, expect } from "vitest";

/** File for the durations of test files, as lines of JSON; missing: none. */
const { HERMOD_TEST_TIMES: file } = process.env;

if (file !== undefined && process.platform === "linux") {
  const began = { atMs: performance.now(), cpuSeconds: cpuSeconds() };
  afterAll(() => {
    const name = relative(process.cwd(), expect.getState().testPath ?? "");
    const [seconds, cpu] = [(performance.now() - began.atMs) / 1_000, cpuSeconds() - began.cpuSeconds];
    appendFileSync(file, `${JSON.stringify({ file: name, seconds, cpu })}\n`);
  });
}

/** CPU time of this process and its ended children (proc(5): utime, stime, cutime and cstime). */
function cpuSeconds(): number {
  const [, afterName = ""] = readFileSync("/proc/self/stat", "utf8").split(") ");
  const ticks = afterName.split(" ").slice(11, 15).map(Number);
  return ticks.reduce((sum, one) => sum + one, 0) / 100;
}
