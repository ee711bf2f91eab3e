import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { startChild } from "./lib/children.js";
import { prepareHermod } from "./lib/hermod-delivery.js";
import { inTurn } from "./lib/in-turn.js";
import { loadAverage, machine } from "./lib/machine.js";
import { commandLine, readCount, readCounts, readText } from "./lib/options.js";
import { printDeliver } from "./lib/print-deliver.js";
import { makeRunDirectory } from "./lib/run-directory.js";
import { startSink } from "./lib/sink.js";
import { smtpSource } from "./lib/smtp-source.js";
import { watchDelivery } from "./lib/watch-delivery.js";
import { installHaraka, startHaraka } from "./peers/haraka.js";
import { startPostfix } from "./peers/postfix.js";

/**
 * @typedef {import("./lib/watch-delivery.js").Delivery & {
 *   subject: string,
 *   task: string,
 *   round: number,
 * }} Measured
 *
 * @typedef {object} Subject
 * @property {string} name
 * @property {() => Promise<unknown>} [before] before its tasks of a round
 * @property {() => Promise<unknown>} [after]
 * @property {readonly { task: string, run: () => Promise<import("./lib/watch-delivery.js").Delivery> }[]} tasks
 */

const FROM = "hello@example.com";
const DRAIN = "drain";
/** Share of a backlog that passes before a drain is measured: starting is no delivering. */
const SKIPPED_SHARE = 0.1;

/**
 * From the submission to an SMTP server that takes everything, beside relays that do the same.
 * @param {import("./lib/options.js").Values} values
 * @param {import("./lib/clean-up.js").CleanUp} cleanUp
 * @returns {Promise<boolean>} whether everything could be measured; a peer that is not there is no failure
 */
export async function deliver(values, cleanUp) {
  const rounds = readCount(values, "rounds", 3);
  const messages = readCount(values, "messages", 5_000);
  const connections = readCounts(values, "connections", [20, 100]);
  const warmUp = readCount(values, "warm-up", 1_000);
  const quietWithinMs = readCount(values, "idle", 10_000);
  const peers = readText(values, "peers")?.split(",") ?? ["postfix", "haraka"];
  const directory = makeRunDirectory(readText(values, "dir"), cleanUp);
  const about = { machine: machine(directory), command: commandLine(), startedAt: new Date().toISOString() };
  const loadBefore = loadAverage();
  const folder = (/** @type {string} */ name) => {
    mkdirSync(path.join(directory, name), { recursive: true });
    return path.join(directory, name);
  };

  const sink = await startSink(directory, cleanUp);
  const skip = Math.floor(messages * SKIPPED_SHARE);
  const load = startChild("http-load", cleanUp);
  /** @type {Subject[]} */
  const subjects = [];
  const against = readText(values, "against");
  const modes = readText(values, "modes")?.split(",") ?? ["plain", "dkim"];
  const unknown = modes.find((mode) => mode !== "plain" && mode !== "dkim");
  if (unknown !== undefined) throw new Error(`--modes: there is no "${unknown}": plain, dkim.`);
  const hermods = [
    ...(modes.includes("plain") ? [{ name: "Hermod", signs: false }] : []),
    ...(modes.includes("dkim") ? [{ name: "Hermod, DKIM", signs: true }] : []),
    ...(against ? [{ name: `Hermod of ${against}`, signs: false, checkout: against }] : []),
  ];
  for (const { name, ...options } of hermods) {
    const means = { sink, load, warmUp, quietWithinMs, cleanUp };
    const hermod = await prepareHermod({ directory: folder(name), ...options, ...means });
    const endToEnd = connections.map((count) => ({
      task: `end to end, ${count}`,
      run: () => hermod.endToEnd(count, messages),
    }));
    const drain = { task: DRAIN, run: () => hermod.stop().then(() => hermod.drain(messages, skip)) };
    subjects.push({ name, before: hermod.start, after: hermod.stop, tasks: [...endToEnd, drain] });
  }

  /** The same mail from smtp-source, over as many sessions. */
  function relay(/** @type {() => readonly number[]} */ pids, /** @type {number} */ port) {
    return connections.map((sessions) => ({
      task: `end to end, ${sessions}`,
      run: () => {
        const begin = () => smtpSource({ port, messages, sessions, from: FROM });
        return watchDelivery({ sink, messages, pids, begin });
      },
    }));
  }

  const starters = {
    postfix: async () => {
      // Not inside the folder of the run, which is closed to the users that Postfix runs under.
      const own = makeRunDirectory(readText(values, "dir"), cleanUp);
      const postfix = await startPostfix({ directory: own, sinkPort: sink.port, signs: true, cleanUp });
      const drain = async () => {
        const [sessions = 1] = connections;
        await smtpSource({ port: postfix.holdPort, messages, sessions, from: FROM });
        const begin = async () => postfix.release();
        return watchDelivery({ sink, messages, skip, pids: postfix.pids, begin });
      };
      const tasks = [...relay(postfix.pids, postfix.port), { task: DRAIN, run: drain }];
      subjects.push({ name: "Postfix", tasks });
      const { signing } = postfix;
      if (signing) subjects.push({ name: "Postfix, OpenDKIM", tasks: relay(signing.pids, signing.port) });
    },
    haraka: async () => {
      const program = installHaraka(folder("haraka/package"));
      const home = path.join(directory, "haraka/home");
      const haraka = await startHaraka({ haraka: program, directory: home, sinkPort: sink.port, cleanUp });
      subjects.push({ name: "Haraka", tasks: relay(haraka.pids, haraka.port) });
    },
  };
  for (const peer of peers.filter((name) => name !== "none")) {
    const start = starters[/** @type {keyof typeof starters} */ (peer)];
    if (!start) throw new Error(`--peers: there is no "${peer}".`);
    await start().catch((error) => console.error(`without ${peer}: ${error.message}`));
  }

  /** @type {Measured[]} */
  const measured = [];
  for (let round = 1; round <= rounds; round++) {
    for (const { name, before, after, tasks } of inTurn(subjects, round)) {
      await before?.();
      for (const { task, run } of tasks) {
        const delivery = await run();
        measured.push({ subject: name, task, round, ...delivery });
        const rate = delivery.perSecond.toFixed(0);
        console.error(`round ${round} of ${rounds}, ${name}, ${task}: ${rate}/s`);
      }
      await after?.();
    }
  }
  const loadAverages = { before: loadBefore, after: loadAverage() };
  const result = { ...about, loadAverages, rounds, messages, measured };
  printDeliver(result);
  const json = readText(values, "json");
  if (json) writeFileSync(json, `${JSON.stringify(result, null, 2)}\n`);
  return true;
}
