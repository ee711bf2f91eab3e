import type { CheckId } from "./catalogue.ts";
import type { CheckResult, CheckStatus, Evidence, Fix } from "./check-result.ts";
import { BUDGET_REASON } from "./probe-dns.ts";

/** What a check can hold: an error tells nothing. */
export type HeldStatus = Exclude<CheckStatus, "error">;

/**
 * What is known of one check of a domain. Changed by `afterCheck` alone.
 *
 * | holds | look | becomes |
 * | --- | --- | --- |
 * | nothing, not tested | any but an error | what the look has seen |
 * | any | the same | the same, with new evidence |
 * | any | another one, twice, with time between and nothing else between | that one |
 * | any | error | stays, and is told with its age |
 */
export interface StandingCheck {
  readonly id: CheckId;
  readonly expected: string;
  /** The last result that holds; missing: it was never measured. */
  readonly known?: {
    readonly status: HeldStatus;
    readonly observed: string;
    readonly evidence: readonly Evidence[];
    readonly fix?: Fix;
    readonly since: Date;
    /** Of the last look that has seen it so. */
    readonly at: Date;
  };
  /** What it was before; missing: nothing. */
  readonly previousStatus?: HeldStatus;
  /** What the last look has seen that told anything, and what speaks against what is known: the first look that did. */
  readonly contrary?: { readonly status: HeldStatus; readonly at: Date };
  /** The looks since the last that told anything; missing: that was the last one. */
  readonly failing?: {
    readonly since: Date;
    readonly observed: string;
    readonly evidence: readonly Evidence[];
  };
  readonly checkedAt: Date;
}

type Known = NonNullable<StandingCheck["known"]>;
type Failing = NonNullable<StandingCheck["failing"]>;

/** A check without the answers that decided it, which are most of its bytes: enough to score a domain and to report on it. */
export type CheckOutcome = Omit<StandingCheck, "known" | "failing"> & {
  readonly known?: Omit<Known, "evidence">;
  readonly failing?: Omit<Failing, "evidence"> & { readonly evidence: readonly Pick<Evidence, "reason">[] };
};

export interface Look {
  readonly at: Date;
  /** It is believed at once: somebody has changed what is looked at, or has repaired it and asked whether it is well. */
  readonly isBelieved?: boolean;
}

/** So long a change waits for its second look. */
export const SECOND_LOOK_MS = 5 * 60_000;
/** Two looks count as two although a clock or a timer was a little early. */
const TOLERANCE_MS = 10_000;

/** What is known of a check after one more look. */
export function afterCheck(
  standing: StandingCheck | undefined,
  result: CheckResult,
  { at, isBelieved = false }: Look,
): StandingCheck {
  const { id, status, observed, expected, evidence, fix } = result;
  const { known, previousStatus, contrary } = standing ?? {};
  const before = {
    ...(known && { known }),
    ...(previousStatus && { previousStatus }),
    ...(contrary && { contrary }),
  };
  if (status === "error") {
    const since = standing?.failing?.since ?? at;
    return { ...before, id, expected, failing: { since, observed, evidence }, checkedAt: at };
  }
  const seen = { status, observed, evidence, ...(fix && { fix }), at };
  const isFirst = known === undefined || known.status === "not_tested" || isBelieved;
  const isSame = known?.status === status;
  if (isSame) {
    const same = { ...seen, since: known.since };
    return { id, expected, known: same, ...(previousStatus && { previousStatus }), checkedAt: at };
  }
  const since = contrary?.status === status ? contrary.at : at;
  const isConfirmed = at.getTime() - since.getTime() >= SECOND_LOOK_MS - TOLERANCE_MS;
  if (isFirst || isConfirmed) {
    const previous = known && { previousStatus: known.status };
    return { id, expected, known: { ...seen, since }, ...previous, checkedAt: at };
  }
  return {
    id,
    expected,
    known,
    ...(previousStatus && { previousStatus }),
    contrary: { status, at: since },
    checkedAt: at,
  };
}

/** What is shown as its status: an error where the last look told nothing. */
export function shownStatus({ known, failing }: CheckOutcome): CheckStatus {
  return failing ? "error" : (known?.status ?? "not_tested");
}

/** The lookups of the last look were used up before the check had an answer. */
export function isOverBudget({ failing }: CheckOutcome): boolean {
  return failing?.evidence.some(({ reason }) => reason === BUDGET_REASON) ?? false;
}

/** A second look has to decide about one of them. */
export function needsSecondLook(standings: readonly StandingCheck[]): boolean {
  return standings.some(({ contrary }) => contrary !== undefined);
}
