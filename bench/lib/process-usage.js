import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * @typedef {object} CpuSeconds user and system time
 * @property {number} process all threads together
 * @property {number} mainThread
 */

let ticksPerSecond = 0;

/**
 * CPU time that a process has used so far, in steps of 10 ms. Linux only: undefined elsewhere.
 * @param {number} pid
 * @returns {CpuSeconds | undefined}
 */
export function cpuSeconds(pid) {
  if (process.platform !== "linux") return undefined;
  ticksPerSecond ||= Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  return {
    process: ticks(`/proc/${pid}/stat`) / ticksPerSecond,
    mainThread: ticks(`/proc/${pid}/task/${pid}/stat`) / ticksPerSecond,
  };
}

/** @param {string} file */
function ticks(file) {
  // The second field is the program's name, which may hold blanks.
  const fields = readFileSync(file, "latin1").split(") ").at(-1)?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

/**
 * Resident memory in bytes: now, and the most it ever was. Linux only: undefined elsewhere.
 * @param {number} pid
 */
export function residentBytes(pid) {
  if (process.platform !== "linux") return undefined;
  const status = readFileSync(`/proc/${pid}/status`, "latin1");
  const kilobytes = (/** @type {string} */ name) =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]);
  return { now: kilobytes("VmRSS") * 1024, peak: kilobytes("VmHWM") * 1024 };
}
