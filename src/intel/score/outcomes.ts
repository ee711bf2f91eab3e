import {
  type CatalogueEntry,
  type CheckCategory,
  type CheckId,
  catalogue,
  type DomainRole,
} from "../catalogue.ts";
import type { CheckResult, CheckStatus } from "../check-result.ts";

/** The last result of a check that was no error. */
export interface LastResult {
  readonly status: Exclude<CheckStatus, "error">;
  readonly ageMs: number;
}

/** What a domain is scored by. */
export interface DomainResults {
  readonly role: DomainRole;
  /** One for each check at most, in any order; a check without one counts as not tested. */
  readonly results: readonly Pick<CheckResult, "id" | "status">[];
  /** Of checks that are in error now; others are not looked at. */
  readonly lastResults: Readonly<Partial<Record<CheckId, LastResult>>>;
  /** Checks in error because the lookups of the last look were used up. */
  readonly overBudget?: readonly CheckId[];
  /** Of the blacklists that are asked, by `bl.` and the list's id. One that is not asked is left out, and costs no coverage. */
  readonly blacklistWeights: Readonly<Record<`bl.${string}`, CatalogueEntry["weight"]>>;
}

/**
 * What a check counts as:
 *
 * - `pass`, `warn`, `fail`: it was measured, or is in error and was so at most 48 h ago
 * - `blocked`: the check that it needs has failed; it gives no points and counts all the same
 * - `over_budget`: the lookups of the look were used up before it; it gives no points and counts, but not as measured: a zone
 *   cannot raise its score by keeping Hermod busy
 * - `unmeasured`: nothing is known, and it does not count
 */
export const outcomeKinds = ["pass", "warn", "fail", "blocked", "over_budget", "unmeasured"] as const;
export type OutcomeKind = (typeof outcomeKinds)[number];

/** A check that matters to the domain's role. */
export interface Outcome {
  readonly id: CheckId;
  readonly category: CheckCategory;
  readonly weight: CatalogueEntry["weight"];
  /** As measured; `not_tested` also where there is no result. */
  readonly status: CheckStatus;
  readonly kind: OutcomeKind;
  /** The check that it needs. */
  readonly needs?: CheckId;
}

/** For so long a check in error counts as it did before. */
const MAX_AGE_MS = 48 * 3_600_000;
const SENDING_ONLY = [
  "auth.spf.senders",
  "auth.dkim.",
  "auth.dmarc.alignment",
  "reputation.ptr",
  "reputation.fcrdns",
  "reputation.ehlo",
];
const MAIL_SERVERS_ONLY = [
  "transport.",
  "infra.mx.resolves",
  "infra.mx.answers",
  "infra.mx.cname",
  "infra.ipv6",
];
/** Beginnings of the ids that do not matter to a role. */
const IRRELEVANT: Readonly<Record<DomainRole, readonly string[]>> = {
  sending: [],
  receiving: SENDING_ONLY,
  parked: [...SENDING_ONLY, ...MAIL_SERVERS_ONLY],
};

/** What every check that matters to the domain counts as, in the order of the catalogue; blacklists come last, by id. */
export function outcomesOf(domain: DomainResults): Outcome[] {
  const { role, results, lastResults, overBudget = [], blacklistWeights } = domain;
  const statuses = new Map(results.map(({ id, status }) => [id, status]));
  const known = (id: CheckId): CheckStatus => {
    const status = statuses.get(id) ?? "not_tested";
    const last = status === "error" ? lastResults[id] : undefined;
    // A fault stays until it is known to be gone: otherwise a zone could hide it behind more lookups than a look has.
    const isHeld = overBudget.includes(id) && (last?.status === "fail" || last?.status === "warn");
    if (last && isHeld) return last.status;
    return last && last.ageMs < MAX_AGE_MS ? last.status : status;
  };
  const irrelevant = [...IRRELEVANT[role], ...(hasNoMailServer(known) ? MAIL_SERVERS_ONLY : [])];
  const entries = [...Object.entries(catalogue), ...listEntries(blacklistWeights)] as [
    CheckId,
    CatalogueEntry,
  ][];
  const kinds = new Map<CheckId, OutcomeKind>();
  const kindOf = (id: CheckId, needs: CheckId | undefined): OutcomeKind => {
    const need = needs && kinds.get(needs);
    if (need === "fail" || need === "blocked") return "blocked";
    const status = known(id);
    if (status === "error" && overBudget.includes(id)) return "over_budget";
    return status === "error" || status === "not_tested" ? "unmeasured" : status;
  };
  return entries
    .filter(([id]) => !irrelevant.some((start) => id.startsWith(start)))
    .map(([id, { category, weight, ...entry }]) => {
      const needs = entry.needs as CheckId | undefined;
      const kind = kindOf(id, needs);
      kinds.set(id, kind);
      const status = statuses.get(id) ?? "not_tested";
      return { id, category, weight, status, kind, ...(needs !== undefined && { needs }) };
    });
}

/** The domain's way to take mail is known, and there is no server of which anything could be measured. */
function hasNoMailServer(known: (id: CheckId) => CheckStatus): boolean {
  return known("infra.mx.resolves") === "not_tested" && /^(?:pass|warn|fail)$/.test(known("infra.mx.null"));
}

function listEntries(weights: DomainResults["blacklistWeights"]) {
  return Object.entries(weights)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, weight]) => [id, { category: "reputation", weight }] as const);
}
