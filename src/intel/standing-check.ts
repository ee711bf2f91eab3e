import type { TextPart } from "../shared/phrase.ts";
import type { CheckId } from "./catalogue.ts";
import type { CheckResult, CheckStatus, Evidence, Fix } from "./check-result.ts";
import { BUDGET_REASON } from "./probe-dns.ts";

/** Status that a check can keep. An error holds no information. */
export type HeldStatus = Exclude<CheckStatus, "error">;

/**
 * Current knowledge about one check of a domain. Only `afterCheck` changes it.
 *
 * | current status | new result | next status |
 * | --- | --- | --- |
 * | none, not tested | any but an error | the new result |
 * | any | the same | the same, with new evidence |
 * | any | another one, twice in a row with a delay | the new result |
 * | any | error | unchanged, and shown with its age |
 */
export interface StandingCheck {
  readonly id: CheckId;
  readonly expected: string;
  /** Parts of `expected`. Missing or empty: it is known only in English, also those of other texts here. */
  readonly expectedParts?: readonly TextPart[];
  /** The last confirmed result. Missing: the check was never measured. */
  readonly known?: {
    readonly status: HeldStatus;
    readonly observed: string;
    readonly observedParts?: readonly TextPart[];
    readonly evidence: readonly Evidence[];
    readonly fix?: Fix;
    readonly since: Date;
    /** Time of the last check run with this result. */
    readonly at: Date;
  };
  /** Status before the current one. Missing: none. */
  readonly previousStatus?: HeldStatus;
  /** The latest conclusive result, if it contradicts `known`, with the time of the first run that found it. */
  readonly contrary?: { readonly status: HeldStatus; readonly at: Date };
  /** The check runs since the last conclusive one. Missing: the last run was conclusive. */
  readonly failing?: {
    readonly since: Date;
    readonly observed: string;
    readonly observedParts?: readonly TextPart[];
    readonly evidence: readonly Evidence[];
  };
  readonly checkedAt: Date;
}

type Known = NonNullable<StandingCheck["known"]>;
type Failing = NonNullable<StandingCheck["failing"]>;

/**
 * A check without its evidence, which makes up most of its bytes. It is enough to score a domain and to build
 * reports.
 */
export type CheckOutcome = Omit<StandingCheck, "known" | "failing"> & {
  readonly known?: Omit<Known, "evidence">;
  readonly failing?: Omit<Failing, "evidence"> & { readonly evidence: readonly Pick<Evidence, "reason">[] };
};

export interface CheckRun {
  readonly at: Date;
  /** The result counts without confirmation: a user has changed the domain, or has repaired it and requested a check. */
  readonly isBelieved?: boolean;
}

/** Delay before the confirmation check of a change. */
export const CONFIRMATION_MS = 5 * 60_000;
/** Two check runs count as two even if a clock or a timer was slightly early. */
const TOLERANCE_MS = 10_000;

/** Updates the knowledge about a check with one more result. */
export function afterCheck(
  standing: StandingCheck | undefined,
  result: CheckResult,
  { at, isBelieved = false }: CheckRun,
): StandingCheck {
  const { id, status, observed, observedParts, expected, expectedParts, evidence, fix } = result;
  const texts = { expected, ...(expectedParts && { expectedParts }) };
  const finding = { observed, ...(observedParts && { observedParts }), evidence };
  const { known, previousStatus, contrary } = standing ?? {};
  const before = {
    ...(known && { known }),
    ...(previousStatus && { previousStatus }),
    ...(contrary && { contrary }),
  };
  if (status === "error") {
    const since = standing?.failing?.since ?? at;
    return { ...before, id, ...texts, failing: { since, ...finding }, checkedAt: at };
  }
  const seen = { status, ...finding, ...(fix && { fix }), at };
  const isFirst = known === undefined || known.status === "not_tested" || isBelieved;
  const isSame = known?.status === status;
  if (isSame) {
    const same = { ...seen, since: known.since };
    return { id, ...texts, known: same, ...(previousStatus && { previousStatus }), checkedAt: at };
  }
  const since = contrary?.status === status ? contrary.at : at;
  const isConfirmed = at.getTime() - since.getTime() >= CONFIRMATION_MS - TOLERANCE_MS;
  if (isFirst || isConfirmed) {
    const previous = known && { previousStatus: known.status };
    return { id, ...texts, known: { ...seen, since }, ...previous, checkedAt: at };
  }
  return {
    id,
    ...texts,
    known,
    ...(previousStatus && { previousStatus }),
    contrary: { status, at: since },
    checkedAt: at,
  };
}

/** Displayed status: `error` if the last check run was inconclusive. */
export function shownStatus({ known, failing }: CheckOutcome): CheckStatus {
  return failing ? "error" : (known?.status ?? "not_tested");
}

/** The lookup budget of the last check run was exhausted before the check had an answer. */
export function isOverBudget({ failing }: CheckOutcome): boolean {
  return failing?.evidence.some(({ reason }) => reason === BUDGET_REASON) ?? false;
}

/** Whether one of the checks needs a confirmation check. */
export function needsConfirmation(standings: readonly StandingCheck[]): boolean {
  return standings.some(({ contrary }) => contrary !== undefined);
}
