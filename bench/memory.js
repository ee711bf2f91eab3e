import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startChild } from "./lib/children.js";
import { deliveries, startHermod } from "./lib/hermod.js";
import { loadAverage, machine } from "./lib/machine.js";
import { messageBodies } from "./lib/message.js";
import { commandLine, readCount, readText } from "./lib/options.js";
import { residentBytes } from "./lib/process-usage.js";
import { makeRunDirectory } from "./lib/run-directory.js";
import { slope } from "./lib/statistics.js";
import { figure, megabytes, table } from "./lib/table.js";
import { verifyDurability } from "./lib/verify-durability.js";

/**
 * @typedef {object} Sample
 * @property {number} seconds since the first request
 * @property {number} accepted
 * @property {number} delivered
 * @property {number} residentBytes
 * @property {number} heapBytes JavaScript objects of the main thread
 * @property {number} externalBytes buffers
 */

const IDLE_MS = 10_000;
const SAMPLE_MS = 500;
const ROWS = 20;
/** Memory that the first messages fill once (caches, compiled code) is no growth. */
const SETTLED_SHARE = 0.25;
/** Time without progress after which remaining deliveries count as lost. */
const STALL_MS = 60_000;

/**
 * Resident memory over many messages accepted and delivered to the sandbox.
 * @param {import("./lib/options.js").Values} values
 * @param {import("./lib/clean-up.js").CleanUp} cleanUp
 * @returns {Promise<boolean>} whether nothing failed and all that was acknowledged is stored
 */
export async function memory(values, cleanUp) {
  const messages = readCount(values, "messages", 200_000);
  const connections = readCount(values, "connections", 32);
  const idleMs = readCount(values, "idle", IDLE_MS);
  const directory = makeRunDirectory(readText(values, "dir"), cleanUp);
  const load = startChild("http-load", cleanUp);
  const hermod = await startHermod({ roles: "all", directory: path.join(directory, "data"), cleanUp });
  const { sendUrl: url, apiKey, sender, pid } = hermod;
  await sleep(idleMs);
  const idleBytes = residentBytes(pid)?.now ?? Number.NaN;

  const idsFile = path.join(directory, "ids");
  const startedMs = performance.now();
  /** @type {import("./children/http-load.js").LoadResult | undefined} */
  let result;
  const loading = load
    .ask({ url, apiKey, bodies: messageBodies(sender), connections, requests: messages, idsFile })
    .then((answer) => {
      result = answer;
    });
  /** @type {Sample[]} */
  const samples = [];
  for (let last = await sample(), lastMoveMs = performance.now(); ; ) {
    await Promise.race([sleep(SAMPLE_MS), loading.then(() => sleep(SAMPLE_MS))]);
    const next = await sample();
    samples.push(next);
    if (next.delivered > last.delivered || next.accepted > last.accepted) lastMoveMs = performance.now();
    last = next;
    if (result && next.delivered >= result.acceptedInAll) break;
    if (performance.now() - lastMoveMs > STALL_MS)
      throw new Error("Deliveries have stood still for a minute.");
  }
  await loading;
  await sleep(idleMs);
  const resident = residentBytes(pid);

  /** @returns {Promise<Sample>} */
  async function sample() {
    const metrics = await hermod.metrics();
    return {
      seconds: (performance.now() - startedMs) / 1000,
      accepted: metrics.get('hermod_accepts_total{outcome="accepted",code=""}') ?? 0,
      delivered: deliveries(metrics),
      residentBytes: residentBytes(pid)?.now ?? Number.NaN,
      heapBytes: metrics.get("nodejs_heap_size_used_bytes") ?? Number.NaN,
      externalBytes: metrics.get("nodejs_external_memory_bytes") ?? Number.NaN,
    };
  }

  const settled = samples.filter(({ delivered }) => delivered >= messages * SETTLED_SHARE);
  const bytesPerMessage = slope(settled.map((each) => ({ x: each.delivered, y: each.residentBytes })));
  const verification = await verifyDurability(hermod, idsFile);
  const report = {
    machine: machine(directory),
    command: commandLine(),
    loadAverage: loadAverage(),
    messages,
    connections,
    idleMs,
    failures: result?.failures ?? {},
    idleBytes,
    afterBytes: resident?.now,
    peakBytes: resident?.peak,
    bytesPerMessage,
    samples,
    verification,
  };
  print(report);
  const json = readText(values, "json");
  if (json) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`);
  return (result?.failed ?? 1) === 0 && verification.durable;
}

/** @param {any} report */
function print(report) {
  const { samples, messages, verification } = report;
  const shown = Array.from({ length: ROWS }, (_, row) =>
    samples.find((/** @type {Sample} */ each) => each.delivered >= (messages * (row + 1)) / ROWS),
  ).filter((each) => each !== undefined);
  const rows = [...new Set(shown)].map((each) => [
    each.seconds.toFixed(0),
    String(each.accepted),
    String(each.delivered),
    megabytes(each.residentBytes),
    megabytes(each.heapBytes),
    megabytes(each.externalBytes),
  ]);
  const lines = [
    "",
    report.machine,
    `${messages} messages of 4 KB over ${report.connections} connections, delivered to the sandbox; load average at the end ${figure(report.loadAverage)}`,
    report.command,
    "",
    table(["seconds", "accepted", "delivered", "resident", "heap", "buffers"], rows),
    "",
    `idle after ${report.idleMs / 1000} s ${megabytes(report.idleBytes)}, peak ${megabytes(report.peakBytes)}, ${report.idleMs / 1000} s after the last delivery ${megabytes(report.afterBytes)}`,
    `slope after the first quarter: ${(report.bytesPerMessage / 1024).toFixed(3)} kB a message (${((report.bytesPerMessage * 100_000) / 1024 ** 2).toFixed(1)} MB for 100,000)`,
    `${verification.durable ? "durable" : "NOT DURABLE"}: after SIGKILL ${verification.acknowledged} answers of 202, ${verification.stored} messages stored, ${verification.missing} missing, ${verification.captured} captured; failures ${JSON.stringify(report.failures)}`,
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}
