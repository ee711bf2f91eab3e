import { spread } from "./statistics.js";
import { figure, range } from "./table.js";

/**
 * @typedef {object} Measurement
 * @property {string} subject
 * @property {number} connections
 * @property {number} round
 * @property {number} perSecond
 * @property {number} p50Ms
 * @property {number} p99Ms
 * @property {number | undefined} cpuPerThousand CPU seconds of the server's process for 1,000 requests
 * @property {number | undefined} mainThreadPerThousand the part of its main thread
 * @property {number | undefined} loadCpuPerThousand CPU seconds of the load generator
 * @property {number | undefined} deliveredPerSecond from the first request to the last delivery
 * @property {number} failed
 * @property {Record<string, number>} failures
 */

/**
 * @param {string} subject
 * @param {number} connections
 * @param {number} round
 * @param {import("../children/http-load.js").LoadResult} result
 * @returns {Measurement}
 */
export function measurement(subject, connections, round, result) {
  const { acceptedPerSecond, accepted, cpu, p50Ms, p99Ms, failed, failures, loadCpuSeconds } = result;
  const thousands = accepted / 1000;
  return {
    subject,
    connections,
    round,
    perSecond: acceptedPerSecond,
    p50Ms,
    p99Ms,
    cpuPerThousand: cpu && cpu.process / thousands,
    mainThreadPerThousand: cpu && cpu.mainThread / thousands,
    loadCpuPerThousand: loadCpuSeconds === 0 ? undefined : loadCpuSeconds / thousands,
    deliveredPerSecond: undefined,
    failed,
    failures,
  };
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
export function groupsOf(measurements) {
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

/** The columns of `rateRow`, behind that of the subject. */
export const RATE_HEADS = ["conns", "accepted/s", "p50 ms", "p99 ms", "CPU s/1000", "main thread", "failed"];

/** @param {Group} group */
export function rateRow({ subject, connections, rounds }) {
  const median = (/** @type {keyof Measurement} */ name) => medianOf(rounds, name);
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
    failed === 0 ? "0" : `${failed} (${kinds.join(", ")})`,
  ];
}

/** @param {readonly Measurement[]} rounds @param {keyof Measurement} name */
export function medianOf(rounds, name) {
  return figure(spread(rounds.map((round) => /** @type {number} */ (round[name]))).median);
}
