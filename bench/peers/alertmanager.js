import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeRules, makeSilences, pagerRule } from "../lib/alert-rules.js";
import { endProcess } from "../lib/children.js";
import { freePort, untilListening } from "../lib/ports.js";

const ALERTMANAGER = "alertmanager";
/** A receiver without notifications: they would be sent after the measured part. */
const NOBODY = "nobody";

/**
 * @typedef {object} Alertmanager
 * @property {number} pid
 * @property {string} url to which alerts are posted
 */

/** @throws Error when there is none */
export function requireAlertmanager() {
  const { status, error } = spawnSync(ALERTMANAGER, ["--version"], { stdio: "ignore" });
  if (error || status !== 0) throw new Error("there is no alertmanager on the PATH.");
}

/**
 * Alertmanager with its defaults, but alone: with a route for each rule, and the same silences.
 * @param {{
 *   directory: string,
 *   rules: number,
 *   silences: number,
 *   cleanUp: import("../lib/clean-up.js").CleanUp,
 * }} options
 * @returns {Promise<Alertmanager>}
 */
export async function startAlertmanager({ directory, rules, silences, cleanUp }) {
  const home = path.join(directory, `alertmanager-${rules}`);
  mkdirSync(home);
  const config = path.join(home, "alertmanager.yml");
  const routes = [...makeRules(rules - 1), pagerRule()].map(({ matchers }) => ({
    receiver: NOBODY,
    continue: true,
    matchers: matchers.match.map(matcherText),
  }));
  const route = { receiver: NOBODY, group_by: ["..."], routes };
  // All JSON is YAML.
  writeFileSync(config, JSON.stringify({ route, receivers: [{ name: NOBODY }] }));

  const port = await freePort();
  const options = [`--config.file=${config}`, `--storage.path=${home}`, "--cluster.listen-address="];
  const settings = [`--web.listen-address=127.0.0.1:${port}`, "--log.level=error"];
  const server = spawn(ALERTMANAGER, [...options, ...settings], { stdio: ["ignore", "ignore", "inherit"] });
  cleanUp.defer(() => endProcess(server, "SIGTERM"));
  await Promise.race([untilListening(port), once(server, "exit")]);
  if (server.exitCode !== null) throw new Error("Alertmanager did not start.");

  const api = `http://127.0.0.1:${port}/api/v2`;
  for (const { matchers, startsAt, endsAt, comment, createdBy } of makeSilences(silences, "")) {
    const labels = matchers.match.map(({ field, value }) => ({
      name: labelOf(field),
      value: String(value),
      isRegex: false,
      isEqual: true,
    }));
    const answer = await fetch(`${api}/silences`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ matchers: labels, startsAt, endsAt, comment, createdBy }),
    });
    if (!answer.ok) throw new Error(`Alertmanager refused a silence: ${await answer.text()}`);
    await answer.body?.cancel();
  }
  return { pid: server.pid ?? 0, url: `${api}/alerts` };
}

/** The body of a request with one alert. @param {import("../lib/alert-rules.js").Alert} alert */
export function alertmanagerBody({ eventType, severity, source, message, entityType, entityId, context }) {
  const { labels } = /** @type {{ labels: Record<string, string> }} */ (context);
  const own = { alertname: eventType, event_type: eventType, severity, source, message };
  return JSON.stringify([
    { labels: { ...own, entity_type: entityType, entity_id: entityId, ...labels }, annotations: { message } },
  ]);
}

/** @param {import("../lib/alert-rules.js").Condition} condition */
function matcherText({ field, op, value }) {
  const name = labelOf(field);
  const text = String(value);
  if (op === "eq") return `${name}=${JSON.stringify(text)}`;
  // The severities are the only ones that are compared so.
  if (op === "gte") return `${name}=~"warning|critical"`;
  const literal = text.replaceAll(".", "[.]").replace("*", ".*");
  const pattern = { glob: literal, prefix: `${literal}.*`, contains: `.*${literal}.*` }[
    /** @type {"glob"} */ (op)
  ];
  if (!pattern) throw new Error(`Alertmanager has no matcher for ${op}.`);
  return `${name}=~${JSON.stringify(pattern)}`;
}

/** `context.labels.team` is its `team`. @param {string} field */
function labelOf(field) {
  return field.split(".").at(-1) ?? field;
}
