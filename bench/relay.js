import { writeFileSync } from "node:fs";
import { inTurn } from "./lib/in-turn.js";
import { loadAverage, machine } from "./lib/machine.js";
import { commandLine, readCount, readCounts, readText } from "./lib/options.js";
import { printRelay } from "./lib/print-relay.js";
import { relaySubjects } from "./lib/relay-subjects.js";
import { makeRunDirectory } from "./lib/run-directory.js";
import { startSink } from "./lib/sink.js";
import { smtpSource } from "./lib/smtp-source.js";
import { watchDelivery } from "./lib/watch-delivery.js";
import { relayCrash } from "./relay-crash.js";

/**
 * @typedef {import("./lib/watch-delivery.js").Delivery & {
 *   subject: string,
 *   sessions: number,
 *   mode: Mode,
 *   round: number,
 *   messages: number,
 *   acceptedPerSecond: number,
 * }} MeasuredRelay
 *
 * @typedef {"one" | "many"} Mode messages over each connection
 */

const FROM = "hello@example.com";
const WARM_UP_SESSIONS = 20;
/** One session is slow, and needs no more messages for a steady figure. */
const SHARE_OF_ONE_SESSION = 0.25;

/**
 * From one SMTP server through a relay to another: Hermod beside relays that do the same.
 * @param {import("./lib/options.js").Values} values
 * @param {import("./lib/clean-up.js").CleanUp} cleanUp
 * @returns {Promise<boolean>} whether everything could be measured; a peer that is not there is no failure
 */
export async function relay(values, cleanUp) {
  if (values.crash) return relayCrash(values, cleanUp);
  const rounds = readCount(values, "rounds", 3);
  const messages = readCount(values, "messages", 4_000);
  const quietWithinMs = readCount(values, "idle", 10_000);
  // In each mode: V8 has compiled what it is going to after some thousand messages.
  const warmUp = { messages: readCount(values, "warm-up", 2_000), sessions: WARM_UP_SESSIONS };
  const sessionCounts = readCounts(values, "connections", [1, 20, 100]);
  const modes = readModes(readText(values, "modes") ?? "one,many");
  const parent = readText(values, "dir");
  const directory = makeRunDirectory(parent, cleanUp);
  const about = { machine: machine(directory), command: commandLine(), startedAt: new Date().toISOString() };
  const loadBefore = loadAverage();
  const sink = await startSink(directory, cleanUp);
  const subjects = relaySubjects({
    peers: readText(values, "peers")?.split(",") ?? ["postfix", "haraka", "zonemta"],
    parent,
    sinkPort: sink.port,
    against: readText(values, "against"),
    profile: readText(values, "profile"),
    mongodb: readText(values, "mongodb") ?? process.env.MONGODB_URL,
    cleanUp,
  });

  /** @type {MeasuredRelay[]} */
  const measured = [];
  for (let round = 1; round <= rounds; round++) {
    /** @type {Map<string, import("./lib/relay-subjects.js").Relay>} */
    const servers = new Map();
    try {
      await attempt(round, async ({ name, start }) => {
        const server = await start();
        servers.set(name, server);
        for (const mode of modes) await through(server, { ...warmUp, mode });
      });
      for (const sessions of sessionCounts) {
        for (const mode of modes) await measure(round, servers, { sessions, mode });
      }
    } finally {
      for (const server of servers.values()) await server.stop();
    }
  }

  /**
   * One task with one server after the other: whatever else the machine does hits them all.
   * @param {number} round
   * @param {ReadonlyMap<string, import("./lib/relay-subjects.js").Relay>} servers
   * @param {{ sessions: number, mode: Mode }} what
   */
  async function measure(round, servers, what) {
    const share = what.sessions === 1 ? SHARE_OF_ONE_SESSION : 1;
    const task = { ...what, messages: Math.ceil(messages * share) };
    await attempt(round, async ({ name: subject }) => {
      const server = servers.get(subject);
      if (!server) return;
      const figures = await through(server, task);
      measured.push({ subject, round, ...task, ...figures });
      const rates = `${figures.acceptedPerSecond.toFixed(0)}/s, ${figures.perSecond.toFixed(0)}/s at the sink`;
      console.error(`round ${round} of ${rounds}, ${subject}, ${task.sessions} ${task.mode}: ${rates}`);
    });
  }

  /**
   * Does something for each subject in turn. A peer that fails is left out, with what there is of it; Hermod may not.
   * @param {number} round
   * @param {(subject: import("./lib/relay-subjects.js").RelaySubject) => Promise<void>} task
   */
  async function attempt(round, task) {
    for (const subject of inTurn(subjects, round)) {
      await task(subject).catch((error) => {
        if (subject === subjects[0]) throw error;
        console.error(`round ${round} of ${rounds}, ${subject.name}: ${error.message}`);
      });
    }
  }

  /**
   * @param {import("./lib/relay-subjects.js").Relay} server
   * @param {{ messages: number, sessions: number, mode: Mode }} task
   */
  async function through({ port, pids }, { messages: count, sessions, mode }) {
    let seconds = Number.NaN;
    const begin = async () => {
      const keepOpen = mode === "many";
      seconds = await smtpSource({ port, messages: count, sessions, from: FROM, keepOpen });
    };
    const delivery = await watchDelivery({ sink, messages: count, pids, begin, quietWithinMs });
    return { acceptedPerSecond: count / seconds, ...delivery };
  }

  const loadAverages = { before: loadBefore, after: loadAverage() };
  const settings = subjects.map(({ name, settings: text }) => ({ name, settings: text }));
  const result = { ...about, loadAverages, rounds, messages, settings, measured };
  printRelay(result);
  const json = readText(values, "json");
  if (json) writeFileSync(json, `${JSON.stringify(result, null, 2)}\n`);
  return true;
}

/**
 * @param {string} text
 * @returns {Mode[]}
 */
function readModes(text) {
  return text.split(",").map((mode) => {
    if (mode === "one" || mode === "many") return mode;
    throw new Error(`--modes: there is no "${mode}".`);
  });
}
