import { appendFileSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { afterAll, expect } from "vitest";

/** Where each test file notes what it took, as a line of JSON; missing: nowhere. */
const { HERMOD_TEST_TIMES: file } = process.env;

if (file !== undefined && process.platform === "linux") {
  const began = { atMs: performance.now(), cpuSeconds: cpuSeconds() };
  afterAll(() => {
    const name = relative(process.cwd(), expect.getState().testPath ?? "");
    const [seconds, cpu] = [(performance.now() - began.atMs) / 1_000, cpuSeconds() - began.cpuSeconds];
    appendFileSync(file, `${JSON.stringify({ file: name, seconds, cpu })}\n`);
  });
}

/** Of this process and of those that it has started and that have ended (proc(5): utime, stime, cutime and cstime). */
function cpuSeconds(): number {
  const [, afterName = ""] = readFileSync("/proc/self/stat", "utf8").split(") ");
  const ticks = afterName.split(" ").slice(11, 15).map(Number);
  return ticks.reduce((sum, one) => sum + one, 0) / 100;
}
