import { writeFileSync } from "node:fs";
import { calmAlert, pagerAlert } from "./lib/alert-rules.js";
import { startChild } from "./lib/children.js";
import { evaluateAlerts } from "./lib/evaluate-alerts.js";
import { alertBody, MAX_MAILS, startHermodWithRules, verifyAlerts } from "./lib/hermod-alerts.js";
import { inTurn } from "./lib/in-turn.js";
import { loadAverage, machine } from "./lib/machine.js";
import { measurement } from "./lib/measurement.js";
import { commandLine, readCount, readCounts, readText } from "./lib/options.js";
import { printAlerts } from "./lib/print-alerts.js";
import { makeRunDirectory } from "./lib/run-directory.js";
import { alertmanagerBody, requireAlertmanager, startAlertmanager } from "./peers/alertmanager.js";

/**
 * @typedef {import("./lib/alert-rules.js").Alert} Alert
 *
 * @typedef {keyof typeof KINDS} Kind
 *
 * @typedef {object} Target where alerts of one scene go
 * @property {string} name
 * @property {string} url
 * @property {string} apiKey
 * @property {number} pid
 * @property {number} status of an alert that is taken
 * @property {number} maximum number of new alerts in one scene
 * @property {(alert: Alert) => string} body
 *
 * @typedef {object} Scene
 * @property {number} round
 * @property {number} connections
 * @property {number} rules
 */

/** Kinds of alerts, by the options of `--modes`. */
const KINDS = {
  unmatched: "no rule takes it",
  repeat: "repeats of open incidents",
  new: "opens an incident, mailed",
};
const OPEN = 50;
const OPEN_CONNECTIONS = 8;
/** More than any server accepts in a few seconds. */
const MANY = 30_000;

/**
 * Measures the cost of evaluating an alert, and the number of accepted alerts over HTTP: alerts without a rule, repeats of open
 * incidents, and alerts that open an incident with a mail. In turn, the same for Alertmanager with as many routes.
 * @param {import("./lib/options.js").Values} values
 * @param {import("./lib/clean-up.js").CleanUp} cleanUp
 * @returns {Promise<boolean>} whether nothing failed and all that was acknowledged is stored
 */
export async function alerts(values, cleanUp) {
  const rounds = readCount(values, "rounds", 3);
  const seconds = readCount(values, "seconds", 3);
  const connectionCounts = readCounts(values, "connections", [1, 32]);
  const ruleCounts = readCounts(values, "rules", [1, 100, 2_000]);
  const silences = readCount(values, "silences", 500);
  const kinds = readKinds(values);
  const directory = makeRunDirectory(readText(values, "dir"), cleanUp);
  const about = { machine: machine(directory), command: commandLine(), startedAt: new Date().toISOString() };
  const loadBefore = loadAverage();

  /** @type {Scene[]} */
  const scenes = [{ round: 0, connections: connectionCounts[0] ?? 1, rules: ruleCounts[0] ?? 1 }];
  for (let round = 1; round <= rounds; round++)
    for (const connections of connectionCounts)
      for (const rules of ruleCounts) scenes.push({ round, connections, rules });

  // One account for each scene: the number of mails to a recipient per hour is limited.
  const hermod = await startHermodWithRules({
    directory,
    silences,
    cleanUp,
    profile: readText(values, "profile"),
    ruleCounts: scenes.map(({ rules }) => rules),
  });
  const alertmanagers = await startAlertmanagers({ values, directory, ruleCounts, silences, cleanUp });
  const load = startChild("http-load", cleanUp);
  let acknowledged = 0;

  const evaluations = [];
  const measurements = [];
  for (const [index, scene] of scenes.entries()) {
    const { round, connections, rules } = scene;
    if (round > 0 && round !== scenes[index - 1]?.round)
      evaluations.push(...evaluateAlerts({ ruleCounts, silences, round }));
    const peer = alertmanagers.get(rules);
    const own = targetOfHermod(hermod, index);
    for (const target of inTurn(peer ? [own, peer] : [own], round)) {
      const scale = { load, kinds, seconds };
      const { measured, acceptedInAll } = await measureScene(target, scene, scale);
      if (target === own) acknowledged += acceptedInAll;
      // The first scene is a warm-up for the just-in-time compiler.
      if (round === 0) continue;
      measurements.push(...measured);
      for (const { subject, perSecond } of measured)
        console.error(
          `round ${round} of ${rounds}, ${connections} connections, ${subject}: ${perSecond.toFixed(0)}/s`,
        );
    }
  }

  const verification = await verifyAlerts(hermod, acknowledged);
  const result = {
    ...about,
    loadAverages: { before: loadBefore, after: loadAverage() },
    rounds,
    seconds,
    silences,
    evaluations,
    measurements,
    verification,
  };
  printAlerts(result);
  const json = readText(values, "json");
  if (json) writeFileSync(json, `${JSON.stringify(result, null, 2)}\n`);
  return verification.durable && measurements.every(({ failed }) => failed === 0);
}

/**
 * Opens some incidents, and sends alerts of each kind in turn.
 * @param {Target} target
 * @param {Scene} scene
 * @param {{ load: import("./lib/children.js").Child, kinds: readonly Kind[], seconds: number }} scale
 */
async function measureScene(target, scene, { load, kinds, seconds }) {
  const { round, connections, rules } = scene;
  const opened = await load.ask({ ...demandOf(target, "repeat", scene), connections: OPEN_CONNECTIONS });
  let { acceptedInAll } = opened;
  const measured = [];
  for (const kind of inTurn(kinds, round)) {
    const { requests, ...demand } = demandOf(target, kind, scene);
    const most = kind === "new" ? { requests } : {};
    const result = await load.ask({ ...demand, ...most, seconds, toTheEnd: true, pid: target.pid });
    acceptedInAll += result.acceptedInAll;
    const subject = `${target.name}, ${KINDS[kind]}, ${rules} rule${rules === 1 ? "" : "s"}`;
    measured.push(measurement(subject, connections, round, result));
  }
  return { measured, acceptedInAll };
}

/** @param {import("./lib/options.js").Values} values @returns {Kind[]} */
function readKinds(values) {
  const chosen = readText(values, "modes")?.split(",") ?? Object.keys(KINDS);
  const wrong = chosen.filter((option) => !Object.hasOwn(KINDS, option));
  if (wrong.length > 0) throw new Error(`--modes: there is no "${wrong.join('", "')}".`);
  return /** @type {Kind[]} */ (chosen);
}

/**
 * @param {import("./lib/hermod-alerts.js").AlertHermod} hermod
 * @param {number} index of the scene
 * @returns {Target}
 */
function targetOfHermod({ hermod, url, accounts }, index) {
  const apiKey = accounts[index]?.apiKey ?? "";
  const { pid } = hermod;
  return { name: "Hermod", url, apiKey, pid, status: 202, most: MAX_MAILS - OPEN, body: alertBody };
}

/**
 * One for each number of rules, as far as there is one.
 * @param {{
 *   values: import("./lib/options.js").Values,
 *   directory: string,
 *   ruleCounts: readonly number[],
 *   silences: number,
 *   cleanUp: import("./lib/clean-up.js").CleanUp,
 * }} options
 * @returns {Promise<Map<number, Target>>}
 */
async function startAlertmanagers({ values, directory, ruleCounts, silences, cleanUp }) {
  /** @type {Map<number, Target>} */
  const targets = new Map();
  const peers = readText(values, "peers") ?? "alertmanager";
  if (peers === "none") return targets;
  if (peers !== "alertmanager") throw new Error(`--peers: there is no "${peers}".`);
  try {
    requireAlertmanager();
  } catch (error) {
    console.error(`without alertmanager: ${error instanceof Error ? error.message : error}`);
    return targets;
  }
  for (const rules of ruleCounts) {
    const { pid, url } = await startAlertmanager({ directory, rules, silences, cleanUp });
    const own = { apiKey: "", status: 200, most: MANY, body: alertmanagerBody };
    targets.set(rules, { name: "Alertmanager", url, pid, ...own });
  }
  return targets;
}

/**
 * Requests of the load generator: each alert once.
 * @param {Target} target
 * @param {Kind} kind
 * @param {Scene} scene
 */
function demandOf({ url, apiKey, status, most, body }, kind, { round, connections }) {
  const count = kind === "new" ? most : OPEN;
  const bodies = Array.from({ length: count }, (_, n) => {
    const name = `${kind}-${round}-${connections}-${n}`;
    return body(kind === "unmatched" ? calmAlert(n) : pagerAlert(name));
  });
  return { url, apiKey, status, bodies, connections, requests: bodies.length };
}
