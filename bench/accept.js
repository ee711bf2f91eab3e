import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { addEndpoint, WITH_RECEIVER } from "./lib/add-endpoint.js";
import { startChild } from "./lib/children.js";
import { deliveries, startHermod } from "./lib/hermod.js";
import { inTurn } from "./lib/in-turn.js";
import { loadAverage, machine } from "./lib/machine.js";
import { measurement } from "./lib/measurement.js";
import { messageBodies } from "./lib/message.js";
import { commandLine, readCount, readCounts, readText } from "./lib/options.js";
import { printAccept } from "./lib/print-accept.js";
import { cpuSeconds, residentBytes } from "./lib/process-usage.js";
import { makeRunDirectory } from "./lib/run-directory.js";
import { verifyDurability } from "./lib/verify-durability.js";

/**
 * @typedef {import("./children/http-load.js").LoadResult} LoadResult
 *
 * @typedef {import("./lib/measurement.js").Measurement} Measurement
 *
 * @typedef {object} Subject the measured program
 * @property {string} name
 * @property {number} pid
 * @property {(connections: number, round: number) => Promise<Measurement>} measure
 *
 * @typedef {object} Memory
 * @property {string} subject
 * @property {number | undefined} idleBytes 10 s after the start
 * @property {number | undefined} afterBytes
 * @property {number | undefined} peakBytes
 */

const WARM_UP_SECONDS = 1;
const IDLE_MS = 10_000;
const DRAIN_TIMEOUT_MS = 600_000;

/** Modes of Hermod, with the roles that they need. */
const modes = [
  { option: "accept-only", name: "Hermod, accept only", roles: "edge,core", delivers: false },
  { option: "deliver", name: "Hermod, accept + deliver", roles: "all", delivers: true },
  { option: "webhooks", name: "Hermod, accept + deliver + webhooks", roles: "all", delivers: true },
];
export const EDGE_REFERENCE = "(a) the HTTP route alone";
export const DRIVER_REFERENCE = "(b) the driver's insertOne";

/**
 * Durable accepts per second over HTTP, beside two references measured in turn with it.
 * @param {import("./lib/options.js").Values} values
 * @param {import("./lib/clean-up.js").CleanUp} cleanUp
 * @returns {Promise<boolean>} whether nothing failed and all that was acknowledged is stored
 */
export async function accept(values, cleanUp) {
  const rounds = readCount(values, "rounds", 3);
  const seconds = readCount(values, "seconds", 5);
  const connectionCounts = readCounts(values, "connections", [1, 32, 128]);
  const chosen = readText(values, "modes")?.split(",") ?? ["accept-only", "deliver"];
  const wrong = chosen.filter((option) => !modes.some((mode) => mode.option === option));
  if (wrong.length > 0) throw new Error(`--modes: there is no "${wrong.join('", "')}".`);
  const directory = makeRunDirectory(readText(values, "dir"), cleanUp);
  const about = { machine: machine(directory), command: commandLine(), startedAt: new Date().toISOString() };
  const loadBefore = loadAverage();

  const load = startChild("http-load", cleanUp);
  const hermods = [];
  const against = readText(values, "against");
  for (const { option, ...mode } of modes.filter(({ option }) => chosen.includes(option))) {
    for (const checkout of against ? [undefined, against] : [undefined]) {
      const home = path.join(directory, checkout ? `${option}-against` : option);
      const profile = checkout ? undefined : readText(values, "profile");
      const settings = option === "webhooks" ? WITH_RECEIVER : {};
      const { roles } = mode;
      const started = await startHermod({ roles, directory: home, checkout, profile, settings, cleanUp });
      if (option === "webhooks") await addEndpoint(started, cleanUp);
      const name = checkout ? `${mode.name}, of ${checkout}` : mode.name;
      hermods.push({ mode: { ...mode, name }, started, idsFile: `${home}.ids` });
    }
  }
  const driver = await driverReference({ directory: path.join(directory, "driver"), seconds, cleanUp });
  /** @type {Subject[]} */
  const subjects = [
    ...hermods.map((hermod) => hermodSubject({ ...hermod, load, seconds })),
    await edgeReference({ load, seconds, cleanUp }),
    driver,
  ];
  await sleep(readCount(values, "idle", IDLE_MS));
  /** @type {Memory[]} */
  const memory = subjects.map(({ name, pid }) => ({
    subject: name,
    idleBytes: residentBytes(pid)?.now,
    afterBytes: undefined,
    peakBytes: undefined,
  }));

  /** @type {Measurement[]} */
  const measurements = [];
  for (let round = 1; round <= rounds; round++) {
    for (const connections of connectionCounts) {
      for (const subject of inTurn(subjects, round)) {
        const measured = await subject.measure(connections, round);
        measurements.push(measured);
        console.error(
          `round ${round} of ${rounds}, ${connections} connections, ${subject.name}: ${measured.perSecond.toFixed(0)}/s`,
        );
      }
    }
  }
  for (const [index, { pid }] of subjects.entries()) {
    const resident = residentBytes(pid);
    Object.assign(memory[index] ?? {}, { afterBytes: resident?.now, peakBytes: resident?.peak });
  }
  const verifications = [];
  for (const { mode, started, idsFile } of hermods) {
    verifications.push({ subject: mode.name, ...(await verifyDurability(started, idsFile)) });
  }
  const driverComplete = await driver.complete();
  const result = {
    ...about,
    loadAverages: { before: loadBefore, after: loadAverage() },
    rounds,
    seconds,
    measurements,
    memory,
    verifications,
    driverComplete,
  };
  printAccept(result);
  const json = readText(values, "json");
  if (json) writeFileSync(json, `${JSON.stringify(result, null, 2)}\n`);
  const failed = measurements.some((measurement) => measurement.failed > 0);
  return !failed && driverComplete && verifications.every(({ durable }) => durable);
}

/** @typedef {Awaited<ReturnType<typeof startHermod>>} Hermod */

/**
 * @param {{
 *   mode: Omit<(typeof modes)[number], "option">,
 *   started: Hermod,
 *   idsFile: string,
 *   load: import("./lib/children.js").Child,
 *   seconds: number,
 * }} options
 * @returns {Subject}
 */
function hermodSubject({ mode, started, idsFile, load, seconds }) {
  const { pid, sendUrl: url, apiKey, sender } = started;
  const bodies = messageBodies(sender);
  let acceptedInAll = 0;
  return {
    name: mode.name,
    pid,
    measure: async (connections, round) => {
      const cpuBefore = cpuSeconds(pid);
      const startedMs = performance.now();
      const demand = {
        url,
        apiKey,
        bodies,
        connections,
        warmUpSeconds: WARM_UP_SECONDS,
        seconds,
        pid,
        idsFile,
      };
      const result = /** @type {LoadResult} */ (await load.ask(demand));
      const measured = measurement(mode.name, connections, round, result);
      acceptedInAll += result.acceptedInAll;
      if (!mode.delivers) return measured;
      await untilDelivered(started, acceptedInAll);
      const cpuAfter = cpuSeconds(pid);
      const thousands = result.acceptedInAll / 1000;
      return {
        ...measured,
        deliveredPerSecond: (result.acceptedInAll / (performance.now() - startedMs)) * 1000,
        // Deliveries lag behind: their cost is known once they are done.
        ...(cpuBefore &&
          cpuAfter && {
            cpuPerThousand: (cpuAfter.process - cpuBefore.process) / thousands,
            mainThreadPerThousand: (cpuAfter.mainThread - cpuBefore.mainThread) / thousands,
          }),
      };
    },
  };
}

/**
 * @param {Hermod} hermod
 * @param {number} count
 */
async function untilDelivered(hermod, count) {
  const deadline = Date.now() + DRAIN_TIMEOUT_MS;
  while (deliveries(await hermod.metrics()) < count) {
    if (Date.now() > deadline)
      throw new Error("Not all accepted messages were delivered within ten minutes.");
    await sleep(50);
  }
}

/**
 * @param {{
 *   load: import("./lib/children.js").Child,
 *   seconds: number,
 *   cleanUp: import("./lib/clean-up.js").CleanUp,
 * }} options
 * @returns {Promise<Subject>}
 */
async function edgeReference({ load, seconds, cleanUp }) {
  const edge = startChild("edge-reference", cleanUp);
  const { url, apiKey } = await edge.ask({});
  const bodies = messageBodies("hello@example.com");
  return {
    name: EDGE_REFERENCE,
    pid: edge.pid,
    measure: async (connections, round) => {
      const result = await load.ask({
        url: `${url}/v1/email/send`,
        apiKey,
        bodies,
        connections,
        warmUpSeconds: WARM_UP_SECONDS,
        seconds,
        pid: edge.pid,
      });
      return measurement(EDGE_REFERENCE, connections, round, result);
    },
  };
}

/**
 * @param {{ directory: string, seconds: number, cleanUp: import("./lib/clean-up.js").CleanUp }} options
 * @returns {Promise<Subject & { complete: () => Promise<boolean> }>}
 */
async function driverReference({ directory, seconds, cleanUp }) {
  const driver = startChild("driver-reference", cleanUp);
  await driver.ask({ open: { directory, database: `hermod_bench_driver_${process.pid}` } });
  let complete = false;
  const close = cleanUp.defer(async () => {
    ({ complete } = await driver.ask({ close: true }));
  });
  return {
    name: DRIVER_REFERENCE,
    pid: driver.pid,
    measure: async (connections, round) => {
      const insert = { inFlight: connections, warmUpSeconds: WARM_UP_SECONDS, seconds };
      return measurement(DRIVER_REFERENCE, connections, round, await driver.ask({ insert }));
    },
    complete: async () => {
      await close();
      return complete;
    },
  };
}
