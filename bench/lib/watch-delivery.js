import { setTimeout as sleep } from "node:timers/promises";
import { treeUsage } from "./process-tree.js";

/**
 * @typedef {object} Delivery
 * @property {number} perSecond messages that reached the sink
 * @property {number} cpuPerThousand CPU seconds of the server for 1,000 messages
 * @property {number} residentBytes the most that was seen
 * @property {number} proportionalBytes the most that was seen
 */

const POLL_MS = 10;
const MEMORY_EVERY_MS = 500;
const TIMEOUT_MS = 600_000;
/** Work after a delivery (records, logs, queue files) is part of its cost, until the CPU use is below this. */
const QUIET_CPU_SECONDS = 0.03;
const QUIET_MS = 500;
const QUIET_WITHIN_MS = 10_000;

/**
 * Watches a server from now on, until the sink has got all messages.
 * @param {{
 *   sink: import("./sink.js").Sink,
 *   messages: number,
 *   skip?: number,
 *   pids: () => readonly number[],
 *   begin: () => Promise<unknown>,
 *   quietWithinMs?: number,
 * }} options skip: number of messages before the measurement begins; begin: starts the messages; quietWithinMs: maximum
 *   wait for the work after the last message
 * @returns {Promise<Delivery>}
 */
export async function watchDelivery({
  sink,
  messages,
  skip = 0,
  pids,
  begin,
  quietWithinMs = QUIET_WITHIN_MS,
}) {
  const before = sink.count();
  const deadline = Date.now() + TIMEOUT_MS;
  let startedMs = performance.now();
  let usage = treeUsage(pids());
  let skipped = 0;
  /** @type {unknown} */
  let failure;
  const beginning = begin().catch((error) => {
    failure = error;
  });

  async function until(/** @type {number} */ count) {
    for (let nextMemoryMs = 0; ; await sleep(POLL_MS)) {
      const arrived = sink.count() - before;
      if (arrived >= count) return arrived;
      if (failure) throw failure;
      if (Date.now() > deadline) throw new Error(`Only ${arrived} of ${messages} messages have arrived.`);
      if (performance.now() < nextMemoryMs) continue;
      nextMemoryMs = performance.now() + MEMORY_EVERY_MS;
      const { residentBytes, proportionalBytes } = treeUsage(pids());
      peak.residentBytes = Math.max(peak.residentBytes, residentBytes);
      peak.proportionalBytes = Math.max(peak.proportionalBytes, proportionalBytes);
    }
  }

  const peak = { residentBytes: 0, proportionalBytes: 0 };
  if (skip > 0) {
    skipped = await until(skip);
    startedMs = performance.now();
    usage = treeUsage(pids());
  }
  await until(messages);
  const seconds = (performance.now() - startedMs) / 1000;
  await beginning;
  const counted = messages - skipped;
  const cpuSeconds = (await quietCpuSeconds(pids, quietWithinMs)) - usage.cpuSeconds;
  return { perSecond: counted / seconds, cpuPerThousand: (cpuSeconds / counted) * 1000, ...peak };
}

/** @param {() => readonly number[]} pids @param {number} withinMs */
async function quietCpuSeconds(pids, withinMs) {
  let last = treeUsage(pids()).cpuSeconds;
  const pauseMs = Math.min(QUIET_MS, withinMs);
  for (let waitedMs = 0; waitedMs < withinMs; waitedMs += pauseMs) {
    await sleep(pauseMs);
    const { cpuSeconds } = treeUsage(pids());
    if (cpuSeconds - last <= QUIET_CPU_SECONDS) return cpuSeconds;
    last = cpuSeconds;
  }
  return last;
}
