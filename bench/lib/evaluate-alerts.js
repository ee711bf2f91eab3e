import { compileMatchers } from "../../dist/src/alerts/condition.js";
import { createDecide, inOrder } from "../../dist/src/alerts/decide.js";
import { createMutes } from "../../dist/src/alerts/mutes.js";
import { calmAlert, makeAlerts, makeRules, makeSilences } from "./alert-rules.js";
import { inTurn } from "./in-turn.js";

/**
 * @typedef {import("./alert-rules.js").Alert} Alert
 *
 * @typedef {object} Evaluation
 * @property {number} rules
 * @property {number} silences
 * @property {boolean} none no rule can take any of the alerts
 * @property {number} microseconds for an alert: which rules take it, and whether it is silenced
 * @property {number} linearMicroseconds the same, where each rule and silence is asked
 * @property {number} taken rules that take an alert, on average
 * @property {number} compileMs how long it takes to make all of it ready, which every change of a rule costs
 */

const ALERTS = 500;
const MEASURE_MS = 150;

/**
 * How long deciding takes alone, for each number of rules, with and without silences.
 * @param {{ ruleCounts: readonly number[], silences: number, round: number }} options
 * @returns {Evaluation[]}
 */
export function evaluateAlerts({ ruleCounts, silences, round }) {
  const most = Math.max(...ruleCounts);
  const scenes = [...ruleCounts.map((rules) => ({ rules, none: false })), { rules: most, none: true }];
  return inTurn(
    scenes.flatMap((scene) => [0, silences].map((count) => ({ ...scene, silences: count }))),
    round,
  ).map(evaluate);
}

/**
 * @param {{ rules: number, none: boolean, silences: number }} scene
 * @returns {Evaluation}
 */
function evaluate(scene) {
  const rules = makeRules(scene.rules);
  const silences = makeSilences(scene.silences, "acc_1");
  const alerts = scene.none ? Array.from({ length: ALERTS }, (_, n) => calmAlert(n)) : makeAlerts(ALERTS);
  const now = new Date();

  const startedMs = performance.now();
  const decide = createDecide(rules);
  const mutes = createMutes(silences, []);
  const compileMs = performance.now() - startedMs;
  const indexed = (/** @type {Alert} */ alert) => {
    const isMuted = mutes.muteOf({ alert, fingerprint: "" }, () => [], now) !== undefined;
    return { rules: decide(alert).rules, isMuted };
  };

  const compiled = inOrder(rules).map((rule) => ({ rule, meets: compileMatchers(rule.matchers) }));
  const muting = silences.map((silence) => ({ silence, meets: compileMatchers(silence.matchers) }));
  const linear = (/** @type {Alert} */ alert) => {
    const taking = compiled.filter(({ meets }) => meets(alert)).map(({ rule }) => rule);
    const met = muting.filter(
      ({ silence, meets }) => meets(alert) && silence.startsAt <= now && now < silence.endsAt,
    );
    return { rules: taking, isMuted: met.length > 0 };
  };

  let taken = 0;
  for (const alert of alerts) {
    const [one, other] = [indexed(alert), linear(alert)];
    if (JSON.stringify(one) !== JSON.stringify(other))
      throw new Error(`The index decides otherwise than each rule does: ${JSON.stringify(alert)}`);
    taken += one.rules.length;
  }
  return {
    ...scene,
    microseconds: timeOf(indexed, alerts),
    linearMicroseconds: timeOf(linear, alerts),
    taken: taken / alerts.length,
    compileMs,
  };
}

/** @param {(alert: Alert) => unknown} work @param {readonly Alert[]} alerts */
function timeOf(work, alerts) {
  let count = 0;
  const startedMs = performance.now();
  let elapsedMs = 0;
  while (elapsedMs < MEASURE_MS) {
    for (const alert of alerts) work(alert);
    count += alerts.length;
    elapsedMs = performance.now() - startedMs;
  }
  return (elapsedMs / count) * 1_000;
}
