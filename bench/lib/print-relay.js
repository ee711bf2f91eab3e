import { printHead } from "./print-head.js";
import { spread } from "./statistics.js";
import { markdown, megabytes, range } from "./table.js";

/**
 * @typedef {import("../relay.js").MeasuredRelay} MeasuredRelay
 *
 * @typedef {import("./print-head.js").About & RelayFigures} RelayResult
 *
 * @typedef {object} RelayFigures
 * @property {number} rounds
 * @property {number} messages
 * @property {readonly { name: string, settings: string }[]} settings
 * @property {readonly MeasuredRelay[]} measured
 */

/** @param {RelayResult} result */
export function printRelay({ rounds, messages, settings, measured, ...about }) {
  const print = (/** @type {string} */ text = "") => process.stdout.write(`${text}\n`);
  const taskOf = (/** @type {MeasuredRelay} */ one) => `${one.sessions} ${one.mode}`;
  const subjects = settings.map(({ name }) => name);
  const tasks = [...new Set(measured.map(taskOf))];
  const roundsOf = (/** @type {string} */ subject, /** @type {string} */ task) =>
    measured.filter((one) => one.subject === subject && taskOf(one) === task);
  const max = (/** @type {readonly number[]} */ values) => megabytes(Math.max(...values));

  const what = `${rounds} rounds of ${messages} messages of 4 KB (a quarter of that in one session)`;
  printHead(about, `${what}; sessions, and messages over each connection`);
  for (const { name, settings: text } of settings) print(`- ${name}: ${text}`);
  print();

  const rows = tasks.flatMap((task) =>
    subjects.flatMap((subject) => {
      const all = roundsOf(subject, task);
      if (all.length === 0) return [];
      const row = [
        task,
        subject,
        range(spread(all.map(({ acceptedPerSecond }) => acceptedPerSecond))),
        range(spread(all.map(({ perSecond }) => perSecond))),
        range(spread(all.map(({ cpuPerThousand }) => cpuPerThousand))),
        max(all.map(({ residentBytes }) => residentBytes)),
        max(all.map(({ proportionalBytes }) => proportionalBytes)),
      ];
      return [row];
    }),
  );
  print(markdown(["", "", "accepted/s", "end to end/s", "CPU s/1000", "peak RSS", "peak PSS"], rows));
  print();

  const [hermod = "", ...peers] = subjects;
  const ratios = tasks.flatMap((task) => peers.map((peer) => [task, peer, ...ratiosOf(task, peer)]));
  if (ratios.length > 0) print(markdown(["", "Hermod over", "accepted", "end to end", "CPU"], ratios));

  /** The same round's: what else the machine was doing then, both had to bear. */
  function ratiosOf(/** @type {string} */ task, /** @type {string} */ peer) {
    const theirs = new Map(roundsOf(peer, task).map((one) => [one.round, one]));
    const ratio = (/** @type {"acceptedPerSecond" | "perSecond" | "cpuPerThousand"} */ key) =>
      range(
        spread(
          roundsOf(hermod, task).flatMap((one) => {
            const other = theirs.get(one.round);
            return other ? [one[key] / other[key]] : [];
          }),
        ),
      );
    return [ratio("acceptedPerSecond"), ratio("perSecond"), ratio("cpuPerThousand")];
  }
}
