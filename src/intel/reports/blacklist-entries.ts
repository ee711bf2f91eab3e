import type { IntelReport } from "../../../contracts/common/intel-report-schemas.ts";
import { shownState } from "../blacklists/listing.ts";
import { boundedText } from "./bounded-text.ts";
import type { ReportInputs, ReportList, ReportStanding } from "./report-inputs.ts";

export type BlacklistEntry = NonNullable<IntelReport["blacklists"]>[number];
type MethodList = NonNullable<IntelReport["method"]>["lists"][number];

/** Entries that require action come first. */
const BY_STATE: readonly BlacklistEntry["state"][] = [
  "listed",
  "unreliable",
  "refused",
  "error",
  "pending",
  "clean",
];
const MOST_DOMAINS = 20;

/** State of all subjects at the queried lists, the listed ones first. */
export function blacklistEntries({ lists, standings, domains, generatedAt }: ReportInputs): BlacklistEntry[] {
  const asked = new Map(
    lists.filter(({ notConfigured }) => notConfigured === undefined).map(({ list }) => [list.id, list]),
  );
  const names = new Map(domains.map(({ id, name }) => [id, name]));
  return standings
    .flatMap((one) => {
      const list = asked.get(one.listId);
      return list ? [entryOf(one, list, names, generatedAt)] : [];
    })
    .sort(
      (one, other) =>
        BY_STATE.indexOf(one.state) - BY_STATE.indexOf(other.state) ||
        other.list.weight - one.list.weight ||
        compare(one.list.id, other.list.id) ||
        compare(one.subject, other.subject),
    );
}

/** Each list with the sums of its results, those with the highest weight first. */
export function methodLists(lists: readonly ReportList[], entries: readonly BlacklistEntry[]): MethodList[] {
  return lists
    .map(({ list: { id, name, weight }, notConfigured }) => {
      const states = entries.filter(({ list }) => list.id === id).map(({ state }) => state);
      const listed = states.filter((state) => state === "listed").length;
      const clean = states.filter((state) => state === "clean").length;
      const unknown = states.length - listed - clean;
      const subjects = states.length;
      return { id, name, weight, not_configured: notConfigured ?? null, subjects, listed, clean, unknown };
    })
    .sort((one, other) => other.weight - one.weight || compare(one.id, other.id));
}

function entryOf(
  { subject, domainIds, standing }: ReportStanding,
  { id, name, weight, delistUrl, delistAdvice }: ReportList["list"],
  names: ReadonlyMap<string, string>,
  now: Date,
): BlacklistEntry {
  const state = shownState(standing, now) ?? "pending";
  const domains = domainIds.flatMap((domainId) => names.get(domainId) ?? []).sort();
  const listing = state === "listed" ? standing?.listing : undefined;
  const isKnown = state === "listed" || state === "clean";
  const waits =
    state === "pending" && standing?.listing
      ? "A check found a listing, and a confirmation check is pending"
      : null;
  const reason = isKnown ? null : (waits ?? standing?.last.reason ?? "No check has run yet");
  return {
    subject,
    domains: domains.slice(0, MOST_DOMAINS),
    domains_total: domains.length,
    list: { id, name, weight },
    state,
    codes: (listing?.codes ?? []).map(({ code, meaning }) => ({ code, meaning: boundedText(meaning) })),
    reason: reason === null ? null : boundedText(reason),
    first_seen_at: listing?.firstSeenAt.toISOString() ?? null,
    last_seen_at: listing?.lastSeenAt.toISOString() ?? null,
    checked_at: standing?.last.at.toISOString() ?? null,
    delist_url: delistUrl,
    delist_advice: delistAdvice ?? null,
  };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
