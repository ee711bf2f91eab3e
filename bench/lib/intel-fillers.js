import { newId } from "../../dist/src/shared/ids.js";
import { domainKeys, foldName, wordKeys } from "../../dist/src/store/search-keys.js";
import { ago, each, later, nameOf, raw } from "./filler.js";

const WORKSPACES_MAX = 200;
/** The rest are copies of them: each changes the sums of its workspace, one after the other. */
const SPECIMENS = 40;

/** @typedef {import("./fill-lists.js").Filler} Filler */
/** @typedef {import("./fill-lists.js").FillContext} FillContext */

const SCHEDULED = {
  cadence: { kind: "weekly", weekday: 1 },
  hour: 8,
  timezone: "Europe/Berlin",
  format: "html",
  paper: "a4",
  branding: {},
  recipients: ["it@example.com"],
  paused: false,
  from: "reports@example.com",
};

/** @param {FillContext} context @param {number} number */
async function addClient({ account, filled, run, audit }, number) {
  const settings = {
    name: `Client ${nameOf(number)} ${run}`,
    externalRef: `crm-${run}-${number}`,
    contactEmails: [],
    locale: "en-GB",
    tags: [`tag${number % 20}`],
    timezone: "Europe/Berlin",
  };
  const created = await account.workspaces.createClient(filled.workspaceId, settings, audit("client.create"));
  if ("client" in created) filled.clientId ??= created.client._id;
}

/** @param {FillContext} context @param {number} number */
async function addWatch(context, number) {
  const { account, filled, run, audit, store } = context;
  const name = `${nameOf(number).replace(" ", "-")}.${run}.example`;
  const watch = { workspaceId: filled.workspaceId, clientId: filled.clientId, name, nameUnicode: name };
  const settings = { role: "sending", dkimSelectors: ["s1"], sendingIps: ["192.0.2.25"], subjects: [] };
  const asked = /** @type {any} */ ({ ...watch, ...settings, paused: false });
  const added = await account.watches.add(asked, audit("watch.add"));
  if (!("domain" in added)) return;
  const { _id: domainId } = added.domain;
  filled.watchId ??= domainId;
  filled.watchName ??= name;
  const looked = /** @type {any} */ (checked(context, { domainId, number }));
  await store.acrossAccounts.watches.keep(added.domain, looked, undefined);
}

/** A check of a watched domain. @param {FillContext} context @param {{ domainId: string, number: number }} watched */
function checked(context, { domainId, number }) {
  const { now, filled } = context;
  const isBad = number % 4 === 0;
  const measured = isBad
    ? { status: "critical", score: 40, coverage: 0.9, scoreModel: "1" }
    : { status: "healthy", score: 95, coverage: 0.9, scoreModel: "1" };
  const known = {
    status: isBad ? "fail" : "pass",
    observed: "v=spf1 -all",
    evidence: [],
    since: now,
    at: now,
  };
  const of = { accountId: filled.accountId, workspaceId: filled.workspaceId, domainId };
  return {
    standing: {
      ...measured,
      grade: isBad ? "F" : "A",
      listings: 0,
      lastError: null,
      topFindings: [],
      findings: { critical: isBad ? 1 : 0, warning: 0, info: 0 },
      findingIds: isBad ? ["auth.spf.exists"] : [],
    },
    checks: [{ id: "auth.spf.exists", expected: "a record", known, checkedAt: now }],
    listed: [],
    checkedAt: now,
    dueAt: later(context),
    failures: 0,
    changes: [],
    events: [],
    point: { _id: `${domainId}.1`, ...of, at: now, ...measured, expireAt: later(context) },
  };
}

/**
 * Copies of documents under other ids and names.
 * @param {string} name @param {number} count @param {string} collection
 * @param {(context: FillContext, number: number) => object} changes
 * @param {(context: FillContext, from: any, to: any) => object | undefined} [beside] a document of `watchedChecks` for each
 * @returns {Filler}
 */
const copies = (name, count, collection, changes, beside) => ({
  name,
  count,
  step: 500,
  fill: async (context, from, size) => {
    const of = { accountId: context.filled.accountId };
    const known = await context.db
      .collection(collection)
      .find(of)
      .sort({ _id: 1 })
      .limit(SPECIMENS)
      .toArray();
    const all = Array.from({ length: size }, (_, index) => {
      const specimen = known[(from + index) % known.length];
      return { specimen, copy: /** @type {any} */ ({ ...specimen, ...changes(context, from + index) }) };
    });
    await context.db.collection(collection).insertMany(all.map(({ copy }) => copy));
    if (!beside) return;
    const checks = all.map(({ specimen, copy }) => /** @type {any} */ (beside(context, specimen, copy)));
    await context.db.collection("watchedChecks").insertMany(checks);
  },
});

/** Lists of Deliverability Intel. @param {number} entries @param {(limit: number) => number} most @returns {Filler[]} */
export function intelFillers(entries, most) {
  const specimens = Math.min(SPECIMENS, entries);
  const one = { width: 1 };
  const addWorkspace = (/** @type {FillContext} */ { account, run, audit }, /** @type {number} */ number) =>
    account.workspaces.create(`Agency ${number} ${run}`, audit("workspace.create"));
  return [
    each("workspaces", most(WORKSPACES_MAX) - 1, addWorkspace, one),
    each("first clients", specimens, addClient, one),
    copies("clients", entries - specimens, "intelClients", (context, number) => {
      const name = `Company ${nameOf(number)} ${context.run}`;
      const keys = { nameKey: foldName(name), searchKeys: wordKeys(name) };
      const externalRef = `crm-${context.run}-${number + SPECIMENS}`;
      context.filled.externalRef ??= externalRef;
      const status = number % 10 === 0 ? "archived" : "active";
      return { _id: newId("cl", context.now), name, ...keys, externalRef, status };
    }),
    each("first watched domains", specimens, addWatch, one),
    copies(
      "watched domains",
      entries - specimens,
      "watchedDomains",
      (context, number) => {
        const name = `${nameOf(number).replace(" ", "-")}.w${context.run}.example`;
        return {
          _id: newId("dom", context.now),
          name,
          searchKeys: domainKeys(name),
          checkedRank: ago(context, number),
        };
      },
      ({ filled, now }, _, { _id }) => {
        const known = { status: "fail", observed: "v=spf1 -all", evidence: [], since: now, at: now };
        const check = { id: "auth.spf.exists", expected: "a record", known, checkedAt: now };
        return { _id, accountId: filled.accountId, listed: [], checks: [check] };
      },
    ),
    raw("changes of watched domains", entries, "watchChanges", (context, number) => {
      const [at, { accountId, workspaceId, clientId, watchId, watchName }] = [
        ago(context, number),
        context.filled,
      ];
      return {
        _id: newId("wch", at),
        accountId,
        workspaceId,
        clientId,
        domainId: watchId,
        domain: watchName,
        at,
        kind: "finding.opened",
        text: "There is no SPF record.",
        checkId: "auth.spf.exists",
        severity: "critical",
        expireAt: later(context),
      };
    }),
    raw("schedules", entries, "reportSchedules", (context, number) => {
      const { accountId, workspaceId } = context.filled;
      return {
        _id: newId("rsc", ago(context, number)),
        accountId,
        workspaceId,
        name: `Weekly ${number}`,
        ...SCHEDULED,
        scope: { type: "workspace", id: workspaceId },
        createdAt: context.now,
        updatedAt: context.now,
        nextRunAt: later(context),
        dueAt: later(context),
        revision: 1,
      };
    }),
  ];
}
