import { DEFAULT_NOTIFY } from "../../dist/src/alerts/rule.js";
import { newId } from "../../dist/src/shared/ids.js";

/**
 * @typedef {import("../../dist/src/alerts/condition.js").Condition} Condition
 * @typedef {import("../../dist/src/alerts/alert.js").Alert} Alert
 *
 * @typedef {object} Rule
 * @property {string} id
 * @property {string} name
 * @property {number} order
 * @property {boolean} enabled
 * @property {boolean} stop
 * @property {"notify"} effect
 * @property {{ match: Condition[], any: Condition[] }} matchers
 */

/** So many event types, teams, sources and words there are. A prime: all kinds of rules come upon each of them. */
const WORDS = 499;
const AREAS = ["disk", "net", "db", "queue", "cert", "backup", "deploy", "auth", "billing", "http"];
const ENDINGS = ["failed", "slow", "lost"];
const HOUR_MS = 3_600_000;

/** @param {number} n */
const check = (n) => `${AREAS[n % AREAS.length]}.check${n}`;
/** @param {number} n */
const eventType = (n) => `${check(n)}.${ENDINGS[n % ENDINGS.length]}`;

/** @param {string} field @param {Condition["op"]} op @param {string | string[]} value @returns {Condition} */
const condition = (field, op, value) => ({ field, op, value });
const SEVERE = condition("severity", "gte", "warning");

/**
 * Conditions of 100 rules: 40 on an event type, 18 on its beginning (10 with a glob), 17 on a label of the context, 13 on a source,
 * 11 on a word of the message and one only on a severity. Half of them have a second condition.
 * @param {number} index
 * @returns {Condition[]}
 */
function conditionsOf(index) {
  const n = index % WORDS;
  const kind = (index * 37) % 100;
  const more = index % 2 === 0;
  if (kind < 40) return [condition("event_type", "eq", eventType(n)), ...(more ? [SEVERE] : [])];
  if (kind < 50) return [condition("event_type", "glob", `${check(n)}.*`), ...(more ? [SEVERE] : [])];
  if (kind < 58) return [condition("event_type", "prefix", `${check(n)}.`)];
  if (kind < 75) {
    const production = condition("context.labels.env", "eq", "production");
    return [condition("context.labels.team", "eq", `team-${n}`), ...(more ? [production] : [])];
  }
  if (kind < 88) return [condition("source", "eq", `source-${n}`), ...(more ? [SEVERE] : [])];
  if (kind < 99) return [condition("message", "contains", `E${n}:`), ...(more ? [SEVERE] : [])];
  return [condition("severity", "eq", "critical")];
}

/** @param {string} name @param {Condition[]} match @returns {Rule} */
function ruleOf(name, match) {
  const matchers = { match, any: [] };
  return {
    id: newId("rul", new Date()),
    name,
    order: 100,
    enabled: true,
    stop: false,
    effect: "notify",
    matchers,
  };
}

/** @param {number} count */
export function makeRules(count) {
  return Array.from({ length: count }, (_, index) => ruleOf(`rule-${index}`, conditionsOf(index)));
}

/** The only rule that matches the alerts of `pagerAlert`. */
export const pagerRule = () => ruleOf("pager", [condition("source", "eq", "pager")]);

/**
 * Silences that run: most for one host, others for an event type of a team, or for a source.
 * @param {number} count
 * @param {string} accountId
 */
export function makeSilences(count, accountId) {
  const now = Date.now();
  return Array.from({ length: count }, (_, index) => {
    const n = index % WORDS;
    const host = [condition("entity_id", "eq", `host-${index}`)];
    const team = [
      condition("event_type", "eq", eventType(n)),
      condition("context.labels.team", "eq", `team-${n}`),
    ];
    const match = index % 10 < 6 ? host : index % 10 < 8 ? team : [condition("source", "eq", `source-${n}`)];
    const [createdAt, endsAt] = [new Date(now), new Date(now + 24 * HOUR_MS)];
    return {
      _id: newId("sil", createdAt),
      accountId,
      matchers: { match, any: [] },
      startsAt: new Date(now - HOUR_MS),
      endsAt,
      comment: "maintenance",
      createdBy: "bench",
      createdAt,
      expireAt: endsAt,
    };
  });
}

/**
 * Alerts that few rules match, the same ones in each run.
 * @param {number} count
 * @returns {Alert[]}
 */
export function makeAlerts(count) {
  let state = 1;
  const draw = (/** @type {number} */ below) => {
    // Park and Miller's generator, that every run has the same alerts.
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  return Array.from({ length: count }, () => {
    const chance = draw(100);
    const env = draw(2) === 0 ? "production" : "staging";
    return {
      eventType: eventType(draw(WORDS)),
      severity: chance < 2 ? "critical" : chance < 40 ? "warning" : "info",
      source: `source-${draw(WORDS)}`,
      message: `The check on the host has failed three times; the last answer was E${draw(WORDS)}: connection refused after 30 s`,
      entityType: "host",
      entityId: `host-${draw(2_000)}`,
      context: { labels: { team: `team-${draw(WORDS)}`, env, region: "eu-1" }, value: draw(100) },
    };
  });
}

/** An alert that no rule and no silence matches. @param {number} n @returns {Alert} */
export function calmAlert(n) {
  return {
    eventType: "calm.heartbeat",
    severity: "info",
    source: "calm",
    message: "The check on the host has ended as it does each time; the last answer was 200 after 30 ms",
    entityType: "host",
    entityId: `calm-${n}`,
    context: { labels: { team: "calm", env: "test", region: "eu-1" }, value: n },
  };
}

/** An alert that only the pager's rule matches: a separate alert for each name. @param {string} name @returns {Alert} */
export function pagerAlert(name) {
  return { ...calmAlert(0), source: "pager", severity: "warning", entityId: name };
}

/**
 * Writes a rule set at once: if rules were added one by one, each addition would read the whole set again.
 * @param {import("mongodb").Db} db
 * @param {{
 *   accountId: string,
 *   rules: readonly Rule[],
 *   silences: readonly ReturnType<typeof makeSilences>[number][],
 *   notifyOf: (rule: Rule) => object,
 * }} book
 */
export async function writeBook(db, { accountId, rules, silences, notifyOf }) {
  const at = new Date();
  const documents = rules.map((rule) => {
    const { id: _id, name, order, enabled, stop, effect, matchers } = rule;
    const notify = { ...DEFAULT_NOTIFY, ...notifyOf(rule) };
    const settings = { name, description: "", order, enabled, matchers, stop, effect, notify };
    return { _id, accountId, name, version: 1, settings, createdAt: at, updatedAt: at };
  });
  const versions = documents.map(({ _id: ruleId, settings, version }) => ({
    _id: `${ruleId}.${version}`,
    accountId,
    ruleId,
    version,
    settings,
    createdAt: at,
    from: 1,
  }));
  const write = (/** @type {string} */ name, /** @type {readonly object[]} */ all) =>
    all.length === 0 ? undefined : db.collection(name).insertMany([...all]);
  await write("alertRules", documents);
  await write("alertRuleVersions", versions);
  await write("silences", silences);
  await write("alertBooks", [/** @type {object} */ ({ _id: accountId, accountId, revision: 1 })]);
}
