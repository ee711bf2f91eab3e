import { figure } from "./table.js";

/**
 * @typedef {object} About what figures were measured on, and how
 * @property {string} machine
 * @property {string} command
 * @property {{ before: number, after: number }} loadAverages
 */

/**
 * Prints the lines above the tables.
 * @param {About} about
 * @param {string} [rounds] how many of what
 */
export function printHead({ machine, command, loadAverages }, rounds) {
  const { before, after } = loadAverages;
  const spread = `${rounds ? `${rounds}, ` : ""}everything in turn; min / median / max of the rounds`;
  const load = `load average before ${figure(before)}, after ${figure(after)}`;
  process.stdout.write(`\n${[machine, spread, load, command].join("\n")}\n\n`);
}
