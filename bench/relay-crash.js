import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { startCrashLoad } from "./lib/crash-load.js";
import { startCrashSink } from "./lib/crash-sink.js";
import { startRelayingHermod } from "./lib/hermod-relay.js";
import { loadAverage, machine } from "./lib/machine.js";
import { commandLine, readCount, readText } from "./lib/options.js";
import { SINK_POLICY } from "./lib/route-to-sink.js";
import { makeRunDirectory } from "./lib/run-directory.js";

const POLL_MS = 50;
const TIMEOUT_MS = 180_000;
/** Quiet time before the count: duplicates arrive late. */
const QUIET_MS = 6_000;

/**
 * Kills Hermod once under load, starts it again, and counts what was lost and what came twice.
 * @param {import("./lib/options.js").Values} values
 * @param {import("./lib/clean-up.js").CleanUp} cleanUp
 * @returns {Promise<boolean>} whether nothing that was acknowledged is lost
 */
export async function relayCrash(values, cleanUp) {
  const sessions = readCount(values, "connections", 20);
  const seconds = readCount(values, "seconds", 3);
  const directory = makeRunDirectory(readText(values, "dir"), cleanUp);
  const sink = await startCrashSink(cleanUp);
  const hermod = await startRelayingHermod({ directory, sinkPort: sink.port, cleanUp });

  const load = startCrashLoad({ port: hermod.port, sessions });
  await sleep(seconds * 1000);
  await hermod.kill();
  await load.ended;
  const killedMs = performance.now();
  const atKill = [...load.acknowledged].filter((address) => sink.arrived.has(address)).length;

  await hermod.again();
  const upSeconds = (performance.now() - killedMs) / 1000;
  const missing = () => [...load.acknowledged].filter((address) => !sink.arrived.has(address)).length;
  while (missing() > 0 && performance.now() - killedMs < TIMEOUT_MS) await sleep(POLL_MS);
  const allSeconds = (performance.now() - killedMs) / 1000;
  while (performance.now() - sink.lastArrivalMs() < QUIET_MS) await sleep(POLL_MS);

  const lost = missing();
  const result = {
    machine: machine(directory),
    command: commandLine(),
    settings: SINK_POLICY,
    loadAverage: loadAverage(),
    acknowledged: load.acknowledged.size,
    refused: load.refused(),
    arrivedBeforeTheKill: atKill,
    lost,
    doubled: [...sink.arrived.values()].filter((count) => count > 1).length,
    neverAnswered: load.unanswered.size,
    neverAnsweredButArrived: [...load.unanswered].filter((address) => sink.arrived.has(address)).length,
    startedAgainAfterSeconds: Number(upSeconds.toFixed(1)),
    allArrivedAfterSeconds: lost > 0 ? undefined : Number(allSeconds.toFixed(1)),
  };
  console.log(`relay crash: ${JSON.stringify(result, null, 2)}`);
  const json = readText(values, "json");
  if (json) writeFileSync(json, `${JSON.stringify(result, null, 2)}\n`);
  return lost === 0 && result.acknowledged > 0;
}
