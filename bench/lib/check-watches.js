import { subjectKeys } from "../../dist/src/core/intel/read-watch.js";
import { blacklists } from "../../dist/src/intel/blacklists/blacklists.js";
import { openLists } from "../../dist/src/intel/blacklists/open-lists.js";
import { systemAudit } from "../../dist/src/shared/audit.js";
import { systemClock as clock } from "../../dist/src/shared/clock.js";
import { inParallel } from "../../dist/src/shared/in-parallel.js";
import { parseSecretKey } from "../../dist/src/shared/secret-keys.js";
import { createIndexes } from "../../dist/src/store/indexes.js";
import { createSealing } from "../../dist/src/store/sealing/sealing.js";
import { createStore } from "../../dist/src/store/store.js";
import { createCheckWatch } from "../../dist/src/watches/check-watch.js";
import { createFindMailFacts } from "../../dist/src/watches/find-mail-facts.js";
import { createFindProbes } from "../../dist/src/watches/find-probes.js";
import { databaseName } from "./hermod.js";
import { benchProbes } from "./intel-zones.js";
import { createLook, timed } from "./look-at-domains.js";

const ACCOUNT = "acc_01k9z4c3r8h2v6y0n5t7w1x3q9";
/** Concurrency of the monitor. */
const AT_ONCE = 16;
const CLAIM_MS = 5 * 60_000;
const DAY_MS = 86_400_000;

/**
 * @typedef {object} WatchPass a check run of each domain
 * @property {string} subject
 * @property {number} atOnce
 * @property {() => Promise<import("./look-at-domains.js").Pass>} pass await it before the next one is requested
 */

/**
 * Watched domains of one account, each claimed, checked and stored as by the monitor: for the first time, again,
 * and again without the check itself, which shows the cost of the store alone.
 * @param {{
 *   client: import("mongodb").MongoClient,
 *   server: string,
 *   domains: readonly import("./intel-zones.js").BenchDomain[],
 * }} options
 * @returns {AsyncGenerator<WatchPass>}
 */
export async function* checkWatches({ client, server, domains }) {
  const db = client.db(databaseName());
  try {
    await createIndexes(db);
    const store = openStore(db);
    let watched = await addWatches(store, domains);
    const expireAt = new Date(Date.now() + DAY_MS);
    const probes = benchProbes(domains.length, clock.now());
    await inParallel(probes, AT_ONCE, (probe) => store.mailHosts.keep(/** @type {any} */ (probe), expireAt));

    /** By domain. @type {Map<string, readonly import("../../dist/src/intel/check-result.js").CheckResult[]>} */
    const seen = new Map();
    const passes = [
      { subject: "first check, everything is new", isGiven: false },
      { subject: "second check, nothing has changed", isGiven: false },
      { subject: "the store alone, with given results", isGiven: true },
    ];
    for (const { subject, isGiven } of passes) {
      // Check runs are hours apart, so nothing is cached.
      const look = createLook(server, findKnownProbes(store));
      /** @type {import("../../dist/src/intel/run-checks.js").RunChecks} */
      const runChecks = async (domain, reason) => {
        const results = (isGiven && seen.get(domain.name)) || (await look(domain, reason));
        seen.set(domain.name, results);
        return results;
      };
      const checkWatch = createWatchCheck(store, runChecks);
      /** @type {typeof watched} */
      const next = [];
      const pass = () =>
        timed(() =>
          inParallel(watched, AT_ONCE, async (domain) => {
            const claimedUntil = new Date(clock.now().getTime() + CLAIM_MS);
            const isClaimed = await store.acrossAccounts.watches.claim(domain, claimedUntil);
            const kept = isClaimed ? await checkWatch(domain, { claimedUntil }) : undefined;
            if (kept?.score == null) throw new Error(`${domain.name} has no score.`);
            next.push(kept);
          }),
        );
      yield { subject, atOnce: AT_ONCE, pass };
      watched = next;
    }
  } finally {
    await db.dropDatabase();
  }
}

/** @param {import("mongodb").Db} db */
function openStore(db) {
  const key = parseSecretKey("0".repeat(64));
  if (!key) throw new Error("The key is none.");
  return createStore(db, createSealing([key]));
}

/**
 * @param {import("../../dist/src/store/store.js").Store} store
 * @param {readonly import("./intel-zones.js").BenchDomain[]} domains
 */
async function addWatches(store, domains) {
  const account = store.forAccount(ACCOUNT);
  const audit = () => systemAudit("watched_domain.add", "sx_bench", clock.now());
  const workspace = await account.workspaces.first(audit());
  const settings = { name: "Nordwind AG", contactEmails: [], tags: [], locale: "en", timezone: "UTC" };
  const created = await account.workspaces.createClient(workspace._id, settings, audit());
  if (!("client" in created)) throw new Error("There is no client.");
  const of = { workspaceId: workspace._id, clientId: created.client._id, paused: false };
  const watched = [];
  for (const domain of domains) {
    const subjects = subjectKeys(domain.name, domain.sendingIps);
    const added = await account.watches.add(
      { ...domain, ...of, nameUnicode: domain.name, subjects },
      audit(),
    );
    if (!("domain" in added)) throw new Error(`${domain.name} was not added.`);
    watched.push(added.domain);
  }
  return watched;
}

/** @param {import("../../dist/src/store/store.js").Store} store */
function findKnownProbes({ mailHosts }) {
  const probeMailHost = async (/** @type {{ name: string }} */ { name }) => {
    throw new Error(`${name} ought to be known.`);
  };
  return createFindProbes({ mailHosts, probeMailHost, clock });
}

/**
 * @param {import("../../dist/src/store/store.js").Store} store
 * @param {import("../../dist/src/intel/run-checks.js").RunChecks} runChecks
 */
function createWatchCheck(store, runChecks) {
  const { acrossAccounts, blacklistStates } = store;
  const lists = openLists(blacklists, {});
  const keptMs = 400 * DAY_MS;
  return createCheckWatch({
    store: acrossAccounts,
    blacklistStates,
    runChecks,
    lists,
    clock,
    keptMs,
    findMailFacts: createFindMailFacts(store, undefined),
    reportAddresses: undefined,
  });
}
