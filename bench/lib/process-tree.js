import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/**
 * @typedef {object} TreeUsage what a server and the processes that it has started have used, Linux only
 * @property {number} cpuSeconds user and system time, of those that have ended too
 * @property {number} residentBytes each process's, so that what they share counts several times
 * @property {number} proportionalBytes what they share counts once (PSS)
 */

let ticksPerSecond = 0;

/**
 * @param {readonly number[]} roots
 * @returns {TreeUsage}
 */
export function treeUsage(roots) {
  ticksPerSecond ||= Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  const usage = { cpuSeconds: 0, residentBytes: 0, proportionalBytes: 0 };
  for (const pid of withDescendants(roots)) {
    usage.cpuSeconds += (statOf(pid)?.ticks ?? 0) / ticksPerSecond;
    const memory = read(`/proc/${pid}/smaps_rollup`);
    const kilobytes = (/** @type {string} */ name) =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(memory)?.[1] ?? 0);
    usage.residentBytes += kilobytes("Rss") * 1024;
    usage.proportionalBytes += kilobytes("Pss") * 1024;
  }
  return usage;
}

/** @param {readonly number[]} roots */
function withDescendants(roots) {
  /** @type {Map<number, number[]>} */
  const children = new Map();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const parent = statOf(Number(name))?.parent;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found = [...roots];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found;
}

/** @param {number} pid */
function statOf(pid) {
  // The second field is the program's name, which may hold blanks.
  const fields = read(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
  if (fields.length < 15) return undefined;
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { parent: Number(fields[1]), ticks };
}

/**
 * A process may end at any moment.
 * @param {string} file
 */
function read(file) {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
