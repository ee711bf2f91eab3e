import { hostname, networkInterfaces } from "node:os";
import { createCursors } from "../core/intel/cursors.ts";
import { type IntelParts, PROMPT_REPORTS } from "../core/intel/intel-parts.ts";
import { createResolver } from "../dns/resolver.ts";
import { createValidator } from "../dns/validator.ts";
import { createZoneResolver } from "../dns/zone-resolver.ts";
import { createReportReader } from "../intel/aggregate-reports/report-reader.ts";
import { createFetchMark } from "../intel/bimi/fetch-mark.ts";
import { blacklists } from "../intel/blacklists/blacklists.ts";
import { createCheckRound } from "../intel/blacklists/check-round.ts";
import { openLists } from "../intel/blacklists/open-lists.ts";
import { readListSettings } from "../intel/blacklists/read-list-settings.ts";
import { createLookUpRdap } from "../intel/expiry/look-up-rdap.ts";
import { createProbeMailHost } from "../intel/mail-host-probe/probe-mail-host.ts";
import { createReportRenderer } from "../intel/reports/render-report.ts";
import { createRunChecks } from "../intel/run-checks.ts";
import { createRefuseDestination } from "../shared/destination-address.ts";
import { INTEL_RETENTION_MS } from "../shared/intel-retention.ts";
import { StartupError } from "../shared/startup-error.ts";
import type { Store } from "../store/store.ts";
import { createFetchPolicy } from "../transport-security/mta-sts/fetch-policy.ts";
import { createCheckDueWatches } from "../watches/check-due.ts";
import { createCheckWatch } from "../watches/check-watch.ts";
import { createFindMailFacts } from "../watches/find-mail-facts.ts";
import { createFindProbes } from "../watches/find-probes.ts";
import { createFindRegistration } from "../watches/find-registration.ts";
import { createRunBlacklists } from "../watches/run-blacklists.ts";
import type { Process } from "./process.ts";
import { composeReportAddresses } from "./return-paths.ts";

/** Deliverability Intel: its services and background work. */
export interface ComposedIntel {
  readonly intel: IntelParts;
  /** Checks due domains. */
  readonly checkDueWatches: () => Promise<void>;
  /** Queries blacklists about due subjects. */
  readonly runBlacklists: () => Promise<void>;
}

/** A check of a domain has 90 s, so its timeouts are shorter than those of delivery. */
const POLICY_MS = 20_000;

/** @throws StartupError when a setting names an unknown list */
export async function composeIntel(process: Process, store: Store): Promise<ComposedIntel> {
  const { config, clock, log, signal, lifecycle } = process;
  const { dnsServers: servers, allowPrivate, ipv6, mxPort, mtaStsPort } = config.delivery;
  const reportAddresses = await composeReportAddresses(config, store);
  const lists = openLists(blacklists, listSettings(config.intel.blacklists));
  const freshResolver = () => createResolver({ servers, clock });
  const resolver = freshResolver();
  const refuse = createRefuseDestination({ allowPrivate, ownAddresses: [] });
  const isIpv6 = ipv6 !== "never";
  const probeMailHost = createProbeMailHost({
    port: mxPort,
    ipv6: isIpv6,
    refuse,
    clock,
    heloName: config.smtp.heloName,
  });
  const lookUpRdap = createLookUpRdap({ resolver, refuse, ipv6: isIpv6, clock });
  const runChecks = createRunChecks({
    resolver,
    clock,
    zoneResolver: createZoneResolver({ freshResolver, refuse, ipv6: isIpv6 }),
    validator: createValidator({ servers, clock }),
    findProbes: createFindProbes({ mailHosts: store.mailHosts, probeMailHost, clock }),
    fetchPolicy: createFetchPolicy({
      resolver,
      refuse,
      ipv6: isIpv6,
      port: mtaStsPort,
      timeoutMs: POLICY_MS,
    }),
    fetchMark: createFetchMark({ resolver, refuse, ipv6: isIpv6, clock }),
    lookUpRdap: config.intel.asksRegistries
      ? createFindRegistration({ registrations: store.registrations, lookUpRdap, clock })
      : undefined,
    ehloNameOf: (address) => (isOwnAddress(address) ? (config.smtp.heloName ?? hostname()) : undefined),
  });
  const across = { store: store.acrossAccounts, clock, log, signal };
  const checkWatch = createCheckWatch({
    store: store.acrossAccounts,
    blacklistStates: store.blacklistStates,
    runChecks,
    lists,
    clock,
    keptMs: INTEL_RETENTION_MS,
    reportAddresses,
    findMailFacts: createFindMailFacts(store, config.bounces.domain),
  });
  const reports = createReportRenderer();
  lifecycle.defer("reports", reports.close);
  const checkRound = createCheckRound({ resolver, clock });
  return {
    intel: {
      lists,
      allowsPrivate: allowPrivate,
      checkWatch,
      reports,
      reportAddresses,
      promptReports: PROMPT_REPORTS,
      reportReader: createReportReader(),
      cursors: createCursors(await store.secrets.getOrCreate("cursor")),
      resolver: () => ({ kind: servers?.length ? "configured" : "system" }),
    },
    checkDueWatches: createCheckDueWatches({ ...across, checkWatch }),
    runBlacklists: createRunBlacklists({ ...across, lists, checkRound }),
  };
}

/** Mail from an address of this machine uses the name of this machine. */
function isOwnAddress(address: string): boolean {
  return Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === address));
}

/** @throws StartupError */
function listSettings(items: readonly string[]) {
  const read = readListSettings(items) ?? {};
  const ids = blacklists.map(({ id }) => id);
  const unknown = Object.keys(read).filter((id) => !ids.includes(id));
  if (unknown.length === 0) return read;
  throw new StartupError(
    `HERMOD_BLACKLISTS: unknown lists ${unknown.join(", ")}; allowed are ${ids.join(", ")}.`,
  );
}
