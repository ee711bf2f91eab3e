import { findingsOf, mutedUntil, resultsOf } from "../../intel/assess-domain.ts";
import { LISTS_VERSION } from "../../intel/blacklists/blacklists.ts";
import type { BlacklistEvent, Standing } from "../../intel/blacklists/listing.ts";
import { isOpen } from "../../intel/blacklists/open-lists.ts";
import type { CheckId } from "../../intel/catalogue.ts";
import type { CheckResult, Fix } from "../../intel/check-result.ts";
import type {
  FindingInterval,
  ReportDomain,
  ReportInputs,
  ReportStanding,
  StatusChange,
} from "../../intel/reports/report-inputs.ts";
import { reportLocale } from "../../intel/reports/report-locale.ts";
import { type CheckOutcome, shownStatus } from "../../intel/standing-check.ts";
import { fault } from "../../shared/fault.ts";
import { inParallel } from "../../shared/in-parallel.ts";
import type {
  ClientDocument,
  WatchChangeDocument,
  WatchedDomainDocument,
} from "../../store/intel-documents.ts";
import type { AccountStore } from "../../store/store.ts";
import { subjectOf } from "../../store/subject-watches.ts";
import type { Dependencies } from "../dependencies.ts";
import type { ReportWish } from "./read-report-request.ts";
import { type DomainMail, gatherMail } from "./report-mail.ts";

/** Maximum number of domains of one report: larger workspaces are reported by client. */
export const MAX_REPORT_DOMAINS = 2_000;
/** Maximum number of changes of one domain that are read for the period. */
const MAX_CHANGES = 1_000;
const AT_ONCE = 100;
/** Number of domains with jointly read checks. */
const CHECKS_AT_ONCE = 20;
const MOST_AT_ONCE = 8;

export interface ReportScope {
  readonly id: string;
  readonly name: string;
  readonly domains: readonly WatchedDomainDocument[];
  /** Client of the report; set for a client and for a domain. */
  readonly client: ClientDocument | undefined;
}

/**
 * Finds the scope of a report.
 * @throws Fault workspace.unknown, client.unknown, watched_domain.unknown, report.empty, report.too_large
 */
export async function findReportScope(
  account: AccountStore,
  workspace: { readonly _id: string; readonly name: string },
  { scope: { type, id } }: ReportWish,
): Promise<ReportScope> {
  const { watches, workspaces } = account;
  if (type === "domain") {
    const domain = await watches.find(id);
    if (!domain || domain.workspaceId !== workspace._id) throw fault("watched_domain.unknown");
    const client = (await workspaces.findClient(domain.clientId)) ?? undefined;
    return { id, name: domain.name, domains: [domain], client };
  }
  const client = type === "client" ? await workspaces.findClient(id) : undefined;
  if (type === "client" && client?.workspaceId !== workspace._id) throw fault("client.unknown");
  if (type === "workspace" && id !== "" && id !== workspace._id) throw fault("workspace.unknown");
  const filter = client ? { clientId: client._id } : {};
  const domains: WatchedDomainDocument[] = [];
  for (let after: { rank: string; id: string } | undefined; ; ) {
    const found = await watches.list(workspace._id, filter, "name", { after, limit: AT_ONCE });
    domains.push(...found);
    const last = found.at(-1);
    if (found.length < AT_ONCE || !last) break;
    if (domains.length > MAX_REPORT_DOMAINS) throw fault("report.too_large");
    after = { rank: last.name, id: last._id };
  }
  if (domains.length === 0) throw fault("report.empty");
  const { _id, name } = client ?? workspace;
  return { id: _id, name, domains, client: client ?? undefined };
}

/** Reads all stored data for a report. */
export async function gatherReportInputs(
  { store, intel }: Pick<Dependencies, "store" | "intel">,
  account: AccountStore,
  asked: {
    readonly id: string;
    readonly wish: ReportWish;
    readonly scope: ReportScope;
    readonly generatedAt: Date;
    readonly branding: ReportWish["branding"];
  },
): Promise<ReportInputs> {
  const { id, wish, scope, generatedAt: now, branding } = asked;
  const { domains } = scope;
  const { watches, workspaces } = account;
  const clients = await workspaces.findClients([...new Set(domains.map(({ clientId }) => clientId))]);
  const gathered = new Map<string, ReportDomain>();
  const listingEvents = new Map<string, BlacklistEvent>();
  const mails: DomainMail[] = [];
  for (let at = 0; at < domains.length; at += CHECKS_AT_ONCE) {
    const some = domains.slice(at, at + CHECKS_AT_ONCE);
    const checks = await watches.findOutcomes(some.map(({ _id }) => _id));
    await inParallel(some, MOST_AT_ONCE, async (domain) => {
      const { from } = wish.period;
      const ofMail = { period: wish.period, domains: domains.length, now };
      const [history, before, changes, mail] = await Promise.all([
        watches.history(domain._id, from),
        watches.pointBefore(domain._id, from),
        watches.changesSince(domain.workspaceId, domain._id, from, MAX_CHANGES),
        gatherMail(account, domain, ofMail),
      ]);
      mails.push(mail);
      const client = clients.get(domain.clientId);
      for (const event of listingEventsOf(changes))
        listingEvents.set(`${event.type} ${event.listId} ${event.subject} ${event.at.getTime()}`, event);
      gathered.set(domain._id, {
        ...reportDomain(domain, checks.get(domain._id) ?? [], changes, { intel, now }),
        ...(client && { client: { id: client._id, name: client.name } }),
        ...(domain.role === "sending" && { sendingFacts: mail.facts }),
        history: [...(before ? [before] : []), ...history].map((point) => ({
          at: point.at,
          score: point.score,
          coverage: point.coverage ?? 0,
          scoreModel: point.scoreModel,
        })),
      });
    });
  }
  return {
    id,
    generatedAt: now,
    period: wish.period,
    scope: { type: wish.scope.type, id: scope.id, name: scope.name },
    timezone: wish.timezone ?? scope.client?.timezone ?? "UTC",
    locale: reportLocale(wish.locale ?? scope.client?.locale),
    branding,
    ...(wish.sections && { sections: wish.sections }),
    domains: domains.flatMap(({ _id }) => gathered.get(_id) ?? []),
    lists: intel.lists.map((choice) => ({
      list: choice.list,
      ...(!isOpen(choice) && { notConfigured: choice.notConfigured }),
    })),
    standings: await standingsOf(store, domains),
    listingEvents: [...listingEvents.values()],
    sending: mails.flatMap(({ sending }) => sending),
    dmarc: mails.flatMap(({ dmarc }) => dmarc),
    method: { resolver: resolverText(intel), listsVersion: LISTS_VERSION },
  };
}

function resolverText(intel: Dependencies["intel"]): string {
  return intel.resolver().kind === "system" ? "the system resolver" : "the resolver set by the operator";
}

function reportDomain(
  domain: WatchedDomainDocument,
  checks: readonly CheckOutcome[],
  changes: readonly WatchChangeDocument[],
  { intel, now }: Pick<Dependencies, "intel"> & { readonly now: Date },
): Omit<ReportDomain, "history" | "client"> {
  const { _id: id, name, role, paused: isPaused, checkedAt, mutes } = domain;
  // Includes muted checks, which are marked as muted.
  const assessed = { role, checks, lists: intel.lists, mutes: [], now };
  const standings = new Map(checks.map((check) => [check.id, check]));
  const open = findingsOf(assessed).map(({ checkId, severity }): FindingInterval => {
    const until = mutedUntil(mutes, checkId, now);
    const openedAt = standings.get(checkId)?.known?.since ?? checkedAt ?? now;
    return { checkId, severity, openedAt, ...(until && { mutedUntil: until }) };
  });
  return {
    ...resultsOf(assessed),
    id,
    name,
    isPaused,
    ...(checkedAt && { checkedAt }),
    results: checks.map(reportResult),
    findings: [...open, ...resolvedIntervals(changes)],
    statusChanges: changes.flatMap(({ kind, at, from, to }) =>
      kind === "watched_domain.status_changed" ? [{ at, from, to } as StatusChange] : [],
    ),
  };
}

function reportResult(check: CheckOutcome): Omit<CheckResult, "evidence"> {
  const { id, expected, known, failing } = check;
  const reported = failing ?? known;
  // Reports are in English, and their hash does not depend on the parts of texts.
  const fix = known?.fix && withoutParts(known.fix);
  return {
    id,
    expected,
    status: shownStatus(check),
    observed: reported?.observed ?? "",
    ...(fix && !failing && { fix }),
  };
}

function withoutParts({ text, record }: Fix): Fix {
  return { text, ...(record && { record }) };
}

/** Findings that were resolved within the period. The start of each is included if it lies within the period. */
function resolvedIntervals(changes: readonly WatchChangeDocument[]): FindingInterval[] {
  const opened = new Map<string, Date>();
  const intervals: FindingInterval[] = [];
  for (const { kind, at, checkId, severity = "info" } of changes) {
    if (checkId === undefined) continue;
    if (kind === "finding.opened") opened.set(checkId, at);
    if (kind !== "finding.resolved") continue;
    intervals.push({
      checkId: checkId as CheckId,
      severity,
      openedAt: opened.get(checkId) ?? new Date(0),
      resolvedAt: at,
    });
    opened.delete(checkId);
  }
  return intervals;
}

function listingEventsOf(changes: readonly WatchChangeDocument[]): BlacklistEvent[] {
  return changes.flatMap(({ kind, at, list, subject }) => {
    if ((kind !== "blacklist.listed" && kind !== "blacklist.delisted") || !list || !subject) return [];
    const listing = { firstSeenAt: at, lastSeenAt: at, codes: [] };
    return [{ type: kind, listId: list, subject, at, listing }];
  });
}

async function standingsOf(
  store: Pick<Dependencies["store"], "blacklistStates">,
  domains: readonly WatchedDomainDocument[],
): Promise<ReportStanding[]> {
  const concerned = new Map<string, string[]>();
  for (const { _id, subjects } of domains)
    for (const key of subjects) concerned.set(key, [...(concerned.get(key) ?? []), _id]);
  const keys = [...concerned.keys()];
  const standings = new Map<string, Standing>();
  for (let at = 0; at < keys.length; at += 1_000)
    for (const [key, { standing }] of await store.blacklistStates.find(keys.slice(at, at + 1_000)))
      if (standing) standings.set(key, standing);
  return keys.map((key) => {
    const { listId, subject } = subjectOf(key);
    const standing = standings.get(key);
    return { listId, subject, domainIds: concerned.get(key) ?? [], ...(standing && { standing }) };
  });
}
