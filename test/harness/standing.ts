import type { CheckId } from "../../src/intel/catalogue.ts";
import type { HeldStatus, StandingCheck } from "../../src/intel/standing-check.ts";
import { checkIds, needsOf } from "./domain-results.ts";

export interface StandingCase {
  /** Checks that do not pass; what needs one that fails is not tested. */
  readonly but?: Readonly<Partial<Record<CheckId, HeldStatus>>>;
  /** Checks that cannot be measured now, and hold what they did. */
  readonly failing?: readonly CheckId[];
  /** Of the last measurement. */
  readonly at: Date;
}

/** What is known of every check of a domain where all is well, but for what is named. */
export function standingChecks({ but = {}, failing = [], at }: StandingCase): StandingCheck[] {
  return checkIds.map((id) => {
    const isLost = needsOf(id).some((need) => but[need] === "fail");
    const status = isLost ? "not_tested" : (but[id] ?? "pass");
    const known = { status, observed: `${id} is ${status}`, evidence: [], since: at, at };
    return {
      id,
      expected: "",
      known,
      checkedAt: at,
      ...(failing.includes(id) && { failing: { since: at, observed: `${id} is silent`, evidence: [] } }),
    };
  });
}
