import type { CheckId } from "../../src/intel/catalogue.ts";
import type { HeldStatus, StandingCheck } from "../../src/intel/standing-check.ts";
import { checkIds, needsOf } from "./domain-results.ts";

export interface StandingCase {
  /** Checks that do not pass. Checks that depend on a failing one are not tested. */
  readonly but?: Readonly<Partial<Record<CheckId, HeldStatus>>>;
  /** Checks that cannot be measured now and keep their previous result. */
  readonly failing?: readonly CheckId[];
  /** Time of the last measurement. */
  readonly at: Date;
}

/** Returns the state of every check of a healthy domain, with these exceptions. */
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
