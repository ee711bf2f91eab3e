import {
  type CatalogueEntry,
  type CheckCategory,
  type CheckId,
  catalogue,
  type DomainRole,
} from "../catalogue.ts";
import type { CheckResult, CheckStatus } from "../check-result.ts";

/** The last conclusive result of a check. */
export interface LastResult {
  readonly status: Exclude<CheckStatus, "error">;
  readonly ageMs: number;
}

/** Input of a domain's score. */
export interface DomainResults {
  readonly role: DomainRole;
  /** At most one result for each check, in any order. A check without a result counts as not tested. */
  readonly results: readonly Pick<CheckResult, "id" | "status">[];
  /** Last results of checks that are currently in error. Others are ignored. */
  readonly lastResults: Readonly<Partial<Record<CheckId, LastResult>>>;
  /** Checks in error because the lookup budget of the last check run was exhausted. */
  readonly overBudget?: readonly CheckId[];
  /**
   * Weights of the queried blacklists, by `bl.` and the list's id. A list that is not queried is left out and costs
   * no coverage.
   */
  readonly blacklistWeights: Readonly<Record<`bl.${string}`, CatalogueEntry["weight"]>>;
}

/**
 * Outcome of a check:
 *
 * - `pass`, `warn`, `fail`: measured, or in error now but measured at most 48 h ago
 * - `blocked`: the check that it needs has failed; it gives no points but counts
 * - `over_budget`: the lookup budget was exhausted before the check; it gives no points and counts, but not as
 *   measured: a zone cannot raise its score by exhausting the budget
 * - `unmeasured`: unknown; it does not count
 */
export const outcomeKinds = ["pass", "warn", "fail", "blocked", "over_budget", "unmeasured"] as const;
export type OutcomeKind = (typeof outcomeKinds)[number];

/** A check that is relevant for the domain's role. */
export interface Outcome {
  readonly id: CheckId;
  readonly category: CheckCategory;
  readonly weight: CatalogueEntry["weight"];
  /** Measured status; also `not_tested` without a result. */
  readonly status: CheckStatus;
  readonly kind: OutcomeKind;
  /** The check that this one needs. */
  readonly needs?: CheckId;
}

/** A check in error keeps its last result for this long. */
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
/** Id prefixes of checks that are irrelevant for a role. */
const IRRELEVANT: Readonly<Record<DomainRole, readonly string[]>> = {
  sending: [],
  receiving: SENDING_ONLY,
  parked: [...SENDING_ONLY, ...MAIL_SERVERS_ONLY],
};

/** Outcome of every check that is relevant for the domain, in the order of the catalogue. Blacklists come last, by id. */
export function outcomesOf(domain: DomainResults): Outcome[] {
  const { role, results, lastResults, overBudget = [], blacklistWeights } = domain;
  const statuses = new Map(results.map(({ id, status }) => [id, status]));
  const known = (id: CheckId): CheckStatus => {
    const status = statuses.get(id) ?? "not_tested";
    const last = status === "error" ? lastResults[id] : undefined;
    // A fault stays until it is known to be fixed. Otherwise a zone could hide it behind more lookups than the budget
    // allows.
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

/** The mail hosts of the domain are known, and none of them can be measured. */
function hasNoMailServer(known: (id: CheckId) => CheckStatus): boolean {
  return known("infra.mx.resolves") === "not_tested" && /^(?:pass|warn|fail)$/.test(known("infra.mx.null"));
}

function listEntries(weights: DomainResults["blacklistWeights"]) {
  return Object.entries(weights)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, weight]) => [id, { category: "reputation", weight }] as const);
}
