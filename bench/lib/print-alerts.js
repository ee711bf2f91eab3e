import { groupsOf, RATE_HEADS, rateRow } from "./measurement.js";
import { printHead } from "./print-head.js";
import { spread } from "./statistics.js";
import { figure, range, table } from "./table.js";

/**
 * @typedef {import("./evaluate-alerts.js").Evaluation} Evaluation
 *
 * @typedef {object} AlertFigures
 * @property {number} rounds
 * @property {number} seconds
 * @property {number} silences
 * @property {readonly Evaluation[]} evaluations of all rounds
 * @property {readonly import("./measurement.js").Measurement[]} measurements
 * @property {Awaited<ReturnType<typeof import("./hermod-alerts.js").verifyAlerts>>} verification
 */

const NOTES = `CPU s/1000: CPU seconds of the server's process for 1,000 alerts, and its main thread's part of them.
Hermod answers once the alert, what it changes and its mail are on disk. Alertmanager keeps alerts in memory alone, and answers before
its routes are asked, unless 200 alerts wait for that; it asks its silences when it notifies: later than what is measured here.`;

/** @param {import("./print-head.js").About & AlertFigures} result */
export function printAlerts({
  rounds,
  seconds,
  silences,
  evaluations,
  measurements,
  verification,
  ...about
}) {
  const print = (/** @type {string} */ text = "") => process.stdout.write(`${text}\n`);
  printHead(about, `${rounds} rounds of ${seconds} s at most each`);

  const heads = [
    "deciding alone",
    "silences",
    "µs an alert",
    "asking each, µs",
    "rules that take it",
    "compile ms",
  ];
  print(table(heads, evaluationRows(evaluations)));
  print();
  const rateHeads = [`one alert a request, ${silences} silences`, ...RATE_HEADS];
  print(table(rateHeads, groupsOf(measurements).map(rateRow)));
  print(`\n${NOTES}`);
  const { acknowledged, alerts, incidents, mails, durable } = verification;
  const found = `${acknowledged} answers of 202, ${alerts} alerts stored, ${incidents} incidents with ${mails} mails`;
  print(`${durable ? "durable" : "NOT DURABLE"}: after its end ${found}`);
}

/** @param {readonly Evaluation[]} evaluations */
function evaluationRows(evaluations) {
  const nameOf = (/** @type {Evaluation} */ { rules, none }) =>
    `${rules} rule${rules === 1 ? "" : "s"}${none ? ", none of which can take it" : ""}`;
  /** @type {Map<string, Evaluation[]>} */
  const groups = new Map();
  const inOrder = [...evaluations].sort(
    (a, b) => Number(a.none) - Number(b.none) || a.rules - b.rules || a.silences - b.silences,
  );
  for (const one of inOrder) {
    const key = `${nameOf(one)} ${one.silences}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map((rounds) => {
    const [first] = rounds;
    const over = (/** @type {(one: Evaluation) => number} */ read) => range(spread(rounds.map(read)));
    return [
      first ? nameOf(first) : "",
      String(first?.silences),
      over(({ microseconds }) => microseconds),
      over(({ linearMicroseconds }) => linearMicroseconds),
      figure(first?.taken),
      figure(spread(rounds.map(({ compileMs }) => compileMs)).median),
    ];
  });
}
