import { groupsOf, medianOf, RATE_HEADS, rateRow } from "./measurement.js";
import { printHead } from "./print-head.js";
import { spread } from "./statistics.js";
import { figure, megabytes, table } from "./table.js";

/**
 * @typedef {import("./measurement.js").Measurement} Measurement
 * @typedef {import("./measurement.js").Group} Group
 * @typedef {import("./verify-durability.js").Verification} Verification
 *
 * @typedef {import("./print-head.js").About & AcceptFigures} AcceptResult
 *
 * @typedef {object} AcceptFigures
 * @property {number} rounds
 * @property {number} seconds
 * @property {readonly Measurement[]} measurements
 * @property {readonly import("../accept.js").Memory[]} memory
 * @property {readonly ({ subject: string } & Verification)[]} verifications
 * @property {boolean} driverComplete
 */

/** @param {AcceptResult} result */
export function printAccept(result) {
  const { rounds, seconds, measurements, memory, verifications } = result;
  const groups = groupsOf(measurements);
  const print = (/** @type {string} */ text = "") => process.stdout.write(`${text}\n`);

  printHead(result, `${rounds} rounds of ${seconds} s each`);
  const rows = groups.map((group) => [...rateRow(group), medianOf(group.rounds, "deliveredPerSecond")]);
  print(table(["messages of 4 KB", ...RATE_HEADS, "delivered/s"], rows));
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
