import type { Db } from "mongodb";
import { subjectKeys } from "../../src/core/intel/read-watch.ts";
import type { ListChoice } from "../../src/intel/blacklists/open-lists.ts";
import type { CheckId } from "../../src/intel/catalogue.ts";
import type { CheckResult, CheckStatus } from "../../src/intel/check-result.ts";
import type { CheckReason, RunChecks } from "../../src/intel/run-checks.ts";
import { systemAudit } from "../../src/shared/audit.ts";
import { createLogger } from "../../src/shared/logger.ts";
import type { WatchedDomainDocument, WatchSettings } from "../../src/store/intel-documents.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { createCheckDueWatches } from "../../src/watches/check-due.ts";
import { createCheckWatch } from "../../src/watches/check-watch.ts";
import { createFindMailFacts } from "../../src/watches/find-mail-facts.ts";
import { testSealing } from "./sealing.ts";
import type { TestTime } from "./test-time.ts";

export const ACCOUNT = "acc_watch";
const KEPT_MS = 400 * 86_400_000;

/** Domains watched in simulated time, and the results of their checks. */
export interface WatchWorld {
  readonly store: Store;
  /** By domain: results of the next check; for a missing domain, all checks pass. */
  readonly sights: Map<string, Readonly<Partial<Record<CheckId, CheckStatus>>>>;
  /** Checked domains, with times. */
  readonly looks: { readonly name: string; readonly at: Date; readonly reason: CheckReason }[];
  add(name: string, settings?: Partial<WatchSettings>): Promise<WatchedDomainDocument>;
  find(name: string): Promise<WatchedDomainDocument>;
  /** Runs one time slice of a background process. */
  turn(): Promise<void>;
  /** Runs an on-demand check by the owner. */
  check(name: string): Promise<void>;
  /** Changes, earliest first. */
  changes(): Promise<readonly { readonly kind: string; readonly at: Date; readonly checkId?: string }[]>;
}

/** Checks that pass by default. */
const WELL: readonly CheckId[] = [
  ...["exists", "single", "syntax", "lookups", "voids", "all"].map((id) => `auth.spf.${id}` as CheckId),
  ...["key", "strength", "testing"].map((id) => `auth.dkim.${id}` as CheckId),
  ...["exists", "valid", "policy", "rua"].map((id) => `auth.dmarc.${id}` as CheckId),
  ...["starttls", "cert_trust", "cert_name", "cert_expiry", "tls_version"].map(
    (id) => `transport.${id}` as CheckId,
  ),
  ...([
    "infra.mx.resolves",
    "infra.mx.cname",
    "infra.mx.null",
    "reputation.ptr",
    "reputation.fcrdns",
  ] as const),
];

export interface WatchWorldOptions {
  readonly db: Db;
  readonly time: TestTime;
  readonly lists?: readonly ListChoice[];
  /** Replaces `sights`. */
  readonly runChecks?: RunChecks;
}

export async function openWatchWorld({
  db,
  time,
  lists = [],
  runChecks,
}: WatchWorldOptions): Promise<WatchWorld> {
  const store = createStore(db, testSealing);
  const { clock } = time;
  const account = store.forAccount(ACCOUNT);
  const audit = () => systemAudit("watched_domain.add", "sx_watch", clock.now());
  const workspace = await account.workspaces.first(audit());
  const settings = { name: "Nordwind AG", contactEmails: [], tags: [], locale: "en", timezone: "UTC" };
  const made = await account.workspaces.createClient(workspace._id, settings, audit());
  if (!("client" in made)) throw new Error("there is no client");
  const clientId = made.client._id;
  const sights: WatchWorld["sights"] = new Map();
  const looks: WatchWorld["looks"] = [];

  const checkWatch = createCheckWatch({
    store: store.acrossAccounts,
    blacklistStates: store.blacklistStates,
    lists,
    clock,
    keptMs: KEPT_MS,
    findMailFacts: createFindMailFacts(store, undefined),
    reportAddresses: undefined,
    runChecks: async (looked, reason, onPart) => {
      const { name } = looked;
      looks.push({ name, at: clock.now(), reason });
      if (runChecks) return runChecks(looked, reason, onPart);
      const found = { ...Object.fromEntries(WELL.map((id) => [id, "pass" as const])), ...sights.get(name) };
      return Object.entries(found).map(([id, status]) => resultOf(id as CheckId, status));
    },
  });
  const checkDue = createCheckDueWatches({
    store: store.acrossAccounts,
    checkWatch,
    clock,
    log: createLogger("silent"),
    signal: new AbortController().signal,
  });

  async function find(name: string): Promise<WatchedDomainDocument> {
    const [domain] = await account.watches.list(workspace._id, { name }, "name", { limit: 1 });
    if (!domain) throw new Error(`${name} is not watched`);
    return domain;
  }

  return {
    store,
    sights,
    looks,
    find,
    add: async (name, more = {}) => {
      const watch = { role: "sending" as const, dkimSelectors: [], sendingIps: [], paused: false, ...more };
      const subjects = subjectKeys(name, watch.sendingIps);
      const of = { name, nameUnicode: name, workspaceId: workspace._id, clientId, subjects };
      const added = await account.watches.add({ ...watch, ...of }, audit());
      if (!("domain" in added)) throw new Error(`${name} is not there`);
      return added.domain;
    },
    turn: checkDue,
    check: async (name) => void (await checkWatch(await find(name), { isBelieved: true })),
    changes: async () => (await account.watches.listChanges(workspace._id, {}, { limit: 1_000 })).reverse(),
  };
}

function resultOf(id: CheckId, status: CheckStatus): CheckResult {
  return { id, status, observed: `It is seen as ${status}.`, expected: "It ought to pass.", evidence: [] };
}
