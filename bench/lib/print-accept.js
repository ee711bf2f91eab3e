import { spread } from "./statistics.js";
import { figure, megabytes, range, table } from "./table.js";

/**
 * @typedef {import("../accept.js").Measurement} Measurement
 * @typedef {import("./verify-durability.js").Verification} Verification
 *
 * @typedef {object} AcceptResult
 * @property {string} machine
 * @property {string} command
 * @property {{ before: number, after: number }} loadAverages
 * @property {number} rounds
 * @property {number} seconds
 * @property {readonly Measurement[]} measurements
 * @property {readonly import("../accept.js").Memory[]} memory
 * @property {readonly ({ subject: string } & Verification)[]} verifications
 * @property {boolean} driverComplete
 */

/** @param {AcceptResult} result */
export function printAccept(result) {
  const { machine, command, loadAverages, rounds, seconds, measurements, memory, verifications } = result;
  const groups = groupsOf(measurements);
  const print = (/** @type {string} */ text = "") => process.stdout.write(`${text}\n`);

  print(`\n${machine}`);
  print(`${rounds} rounds of ${seconds} s each, everything in turn; min / median / max of the rounds`);
  print(`load average before ${figure(loadAverages.before)}, after ${figure(loadAverages.after)}`);
  print(`${command}\n`);
  const heads = ["messages of 4 KB", "conns", "accepted/s", "p50 ms", "p99 ms"];
  heads.push("CPU s/1000", "main thread", "delivered/s", "failed");
  print(table(heads, groups.map(rateRow)));
  print(
    "\nCPU s/1000: CPU seconds of the server's process for 1,000 messages, and its main thread's part of them.\n",
  );
  print(table(["share of a reference", "conns", "min / median / max"], ratioRows(groups)));
  print();
  const memoryRows = memory.map(({ subject, idleBytes, afterBytes, peakBytes }) => [
    subject,
    ...[idleBytes, afterBytes, peakBytes].map(megabytes),
  ]);
  print(table(["resident memory", "idle after 10 s", "after the run", "peak"], memoryRows));
  const loadCpu = measurements.flatMap(({ loadCpuPerThousand }) => loadCpuPerThousand ?? []);
  print(`\nload generator: ${figure(spread(loadCpu).median)} CPU s for 1,000 requests`);
  for (const verification of verifications) print(verdict(verification));
  if (!result.driverComplete) print("(b): NOT all documents are there");
}

/**
 * @typedef {object} Group the rounds of one subject at one number of connections
 * @property {string} subject
 * @property {number} connections
 * @property {Measurement[]} rounds
 */

/**
 * @param {readonly Measurement[]} measurements
 * @returns {Group[]}
 */
function groupsOf(measurements) {
  /** @type {Map<string, Group>} */
  const groups = new Map();
  for (const measurement of measurements) {
    const { subject, connections } = measurement;
    const key = `${subject} ${connections}`;
    const group = groups.get(key) ?? { subject, connections, rounds: [] };
    group.rounds.push(measurement);
    groups.set(key, group);
  }
  const order = [...new Set(measurements.map(({ subject }) => subject))];
  return [...groups.values()].sort((a, b) => order.indexOf(a.subject) - order.indexOf(b.subject));
}

/** @param {Group} group */
function rateRow({ subject, connections, rounds }) {
  const median = (/** @type {keyof Measurement} */ name) =>
    figure(spread(rounds.map((round) => /** @type {number} */ (round[name]))).median);
  const failed = rounds.reduce((sum, round) => sum + round.failed, 0);
  const kinds = [...new Set(rounds.flatMap(({ failures }) => Object.keys(failures)))];
  return [
    subject,
    String(connections),
    range(spread(rounds.map(({ perSecond }) => perSecond))),
    median("p50Ms"),
    median("p99Ms"),
    median("cpuPerThousand"),
    median("mainThreadPerThousand"),
    median("deliveredPerSecond"),
    failed === 0 ? "0" : `${failed} (${kinds.join(", ")})`,
  ];
}

/**
 * Hermod's rate over a reference's in the same round: what else the machine was doing then, both had to bear.
 * @param {readonly Group[]} groups
 */
function ratioRows(groups) {
  const isMeasuredAgainst = (/** @type {string} */ subject, /** @type {string} */ reference) =>
    reference.startsWith("(") ||
    reference.startsWith(`${subject}, of `) ||
    subject.startsWith(`${reference} + `);
  return groups
    .filter(({ subject }) => !subject.startsWith("(") && !subject.includes(", of "))
    .flatMap(({ subject, connections, rounds }) =>
      groups
        .filter((reference) => reference.connections === connections)
        .filter((reference) => isMeasuredAgainst(subject, reference.subject))
        .map((reference) => {
          const ratios = rounds.map(
            ({ perSecond }, index) => perSecond / (reference.rounds[index]?.perSecond ?? Number.NaN),
          );
          const { min, median, max } = spread(ratios);
          const percent = [min, median, max].map((ratio) => `${(ratio * 100).toFixed(1)} %`);
          return [`${subject} of ${nameOf(reference)}`, String(connections), percent.join(" / ")];
        }),
    );
}

/** @param {Group} reference */
function nameOf({ subject }) {
  return subject.startsWith("(") ? subject.slice(0, 3) : subject.split(", of ").at(-1);
}

/** @param {{ subject: string } & Verification} verification */
function verdict({ subject, acknowledged, stored, missing, bodies, captured, durable }) {
  const found = `${acknowledged} answers of 202, ${stored} messages with ${bodies} bodies stored, ${missing} missing`;
  return `${subject}: ${durable ? "durable" : "NOT DURABLE"}: after its end ${found}; ${captured} captured`;
}
