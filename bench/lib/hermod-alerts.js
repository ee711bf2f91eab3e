import path from "node:path";
import { connectCoreClient } from "../../dist/src/rpc/client.js";
import { makeRules, makeSilences, pagerRule, writeBook } from "./alert-rules.js";
import { databaseName, startHermod } from "./hermod.js";

const CORE_DEADLINE_MS = 20_000;
/** Without a worker: mail is stored and queued, and stays in the queue. */
const ROLES = "edge,core";
const FROM = "alerts@example.com";

/** Maximum number of mails to a recipient per hour. Further notifications are sent as digests. */
export const MAX_MAILS = 1_000;

/**
 * @typedef {object} AlertAccount an account with a pager's rule and others that take nothing of what the pager's takes
 * @property {string} id
 * @property {string} apiKey
 *
 * @typedef {object} AlertHermod
 * @property {import("./hermod.js").Hermod} hermod
 * @property {string} url
 * @property {readonly AlertAccount[]} accounts one for each of `ruleCounts`
 */

/**
 * A Hermod with an account for each number of rules.
 * @param {{
 *   directory: string,
 *   ruleCounts: readonly number[],
 *   silences: number,
 *   profile?: string | undefined,
 *   cleanUp: import("./clean-up.js").CleanUp,
 * }} options profile: a folder for CPU profiles of all its threads
 * @returns {Promise<AlertHermod>}
 */
export async function startHermodWithRules({ directory, ruleCounts, silences, profile, cleanUp }) {
  const database = databaseName();
  const home = path.join(directory, "hermod");
  const first = await startHermod({ roles: ROLES, directory: home, database, cleanUp });
  const core = connectCoreClient({ ...first.grpc, deadlineMs: CORE_DEADLINE_MS });
  /** @type {AlertAccount[]} */
  const accounts = [];
  for (const [index] of ruleCounts.entries()) accounts.push(await addAccount(core, `bench ${index}`));
  core.close();
  await first.stop();

  await first.readStore(async (db) => {
    for (const [index, { id: accountId }] of accounts.entries()) {
      const rules = [...makeRules((ruleCounts[index] ?? 1) - 1), pagerRule()];
      const notifyOf = (/** @type {{ name: string }} */ { name }) => ({
        from: FROM,
        recipients: [`${name}@ops.example`],
        ceiling: MAX_MAILS,
      });
      const book = { accountId, rules, silences: makeSilences(silences, accountId), notifyOf };
      await writeBook(db, book);
    }
  });
  const hermod = await startHermod({ roles: ROLES, directory: home, database, profile, cleanUp });
  return { hermod, url: new URL("/v1/alerts/ingest", hermod.sendUrl).href, accounts };
}

/**
 * With the sandbox as its policy.
 * @param {import("../../dist/src/rpc/client.js").CoreClient} core
 * @param {string} name
 * @returns {Promise<AlertAccount>}
 */
async function addAccount(core, name) {
  const { account } = await core.accounts.createAccount({ name });
  const accountId = account?.id ?? "";
  const transports = [{ kind: { case: /** @type {const} */ ("sandbox"), value: {} } }];
  await core.policies.putPolicy({ accountId, policy: { name: "sandbox", default: true, transports } });
  await core.senders.addSender({ accountId, value: FROM });
  await core.senders.verifySender({ accountId, value: FROM });
  const { secret } = await core.keys.createKey({ accountId, name, kind: "account", scopeMode: "full" });
  return { id: accountId, apiKey: secret };
}

/** The body of a request. @param {import("./alert-rules.js").Alert} alert */
export function alertBody({ eventType, entityType, entityId, ...rest }) {
  return JSON.stringify({ event_type: eventType, entity_type: entityType, entity_id: entityId, ...rest });
}

/**
 * Kills it, and compares what was answered with 202 with what the store has.
 * @param {AlertHermod} hermod
 * @param {number} acknowledged
 */
export async function verifyAlerts({ hermod, accounts }, acknowledged) {
  await hermod.kill();
  return hermod.readStore(async (db) => {
    const accountId = { $in: accounts.map(({ id }) => id) };
    const count = (/** @type {string} */ name) => db.collection(name).countDocuments({ accountId });
    const alerts = await count("alerts");
    const incidents = await count("incidents");
    const mails = await count("messages");
    return {
      acknowledged,
      alerts,
      incidents,
      mails,
      durable: alerts === acknowledged && mails === incidents,
    };
  });
}
