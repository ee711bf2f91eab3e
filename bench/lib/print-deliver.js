import { printHead } from "./print-head.js";
import { spread } from "./statistics.js";
import { markdown, megabytes, range } from "./table.js";

/**
 * @typedef {import("../deliver.js").Measured} Measured
 *
 * @typedef {import("./print-head.js").About & DeliverFigures} DeliverResult
 *
 * @typedef {object} DeliverFigures
 * @property {number} rounds
 * @property {number} messages
 * @property {readonly Measured[]} measured
 */

/** @param {DeliverResult} result */
export function printDeliver({ rounds, messages, measured, ...about }) {
  const print = (/** @type {string} */ text = "") => process.stdout.write(`${text}\n`);
  const subjects = [...new Set(measured.map(({ subject }) => subject))];
  const tasks = [...new Set(measured.map(({ task }) => task))];
  const roundsOf = (/** @type {string} */ subject, /** @type {string} */ task) =>
    measured.filter((one) => one.subject === subject && one.task === task);

  printHead(about, `${rounds} rounds of ${messages} messages of 4 KB`);
  const heads = ["", "task", "messages/s", "CPU s/1000", "peak RSS", "peak PSS"];
  const rows = subjects.flatMap((subject) =>
    tasks
      .map((task) => ({ task, all: roundsOf(subject, task) }))
      .filter(({ all }) => all.length > 0)
      .map(({ task, all }) => [
        subject,
        task,
        range(spread(all.map(({ perSecond }) => perSecond))),
        range(spread(all.map(({ cpuPerThousand }) => cpuPerThousand))),
        megabytes(Math.max(...all.map(({ residentBytes }) => residentBytes))),
        megabytes(Math.max(...all.map(({ proportionalBytes }) => proportionalBytes))),
      ]),
  );
  print(markdown(heads, rows));
  print();
  const peers = subjects.filter(
    (subject) => !subject.startsWith("Hermod") || subject.startsWith("Hermod of "),
  );
  const ratios = peers.flatMap((peer) => tasks.flatMap((task) => ratioRow(peer, task) ?? []));
  if (ratios.length > 0) print(markdown(["rate of Hermod over", "task", "min / median / max"], ratios));

  /** The same round's: what else the machine was doing then, both had to bear. */
  function ratioRow(/** @type {string} */ peer, /** @type {string} */ task) {
    const hermod = roundsOf(peer.includes("DKIM") ? "Hermod, DKIM" : "Hermod", task);
    const theirs = roundsOf(peer, task);
    if (hermod.length === 0 || theirs.length === 0) return undefined;
    const shares = hermod.map(({ perSecond }, index) => perSecond / (theirs[index]?.perSecond ?? Number.NaN));
    return [[peer, task, range(spread(shares))]];
  }
}
