import { equalValues } from "../bson/compare.ts";
import { type Comparison, conjuncts, type FieldTest, type Filter } from "./filter.ts";
import { testValue } from "./matches.ts";

/**
 * True when every document that satisfies `filter` surely satisfies `condition` (a partial index's). May say no where
 * the answer is yes: the index is then not used.
 */
export function implies(filter: Filter, condition: Filter): boolean {
  return conjuncts(condition).every((wanted) => impliesOne(filter, wanted));
}

function impliesOne(filter: Filter, wanted: Filter): boolean {
  if (wanted.kind === "or" && wanted.filters.some((branch) => implies(filter, branch))) return true;
  return conjuncts(filter).some((given) => {
    if (given.kind === "or") return given.filters.every((branch) => implies(branch, wanted));
    if (given.kind !== "field" || wanted.kind !== "field" || given.path !== wanted.path) return false;
    return impliesTest(given.test, wanted.test);
  });
}

function impliesTest(given: FieldTest, wanted: FieldTest): boolean {
  switch (given.op) {
    case "exists":
      return wanted.op === "exists";
    case "eq":
      return !Array.isArray(given.value) && given.value !== null
        ? testValue(wanted, given.value)
        : wanted.op === "eq" && equalValues(given.value, wanted.value);
    case "in":
      return (
        given.values.length > 0 && given.values.every((value) => impliesTest({ op: "eq", value }, wanted))
      );
    default:
      if (given.value === null || Array.isArray(given.value)) return false;
      return wanted.op === "exists" || impliesRange(given, wanted);
  }
}

function impliesRange(given: Extract<FieldTest, { op: Comparison }>, wanted: FieldTest): boolean {
  if (wanted.op === "eq" || wanted.op === "in" || wanted.op === "exists") return false;
  if (given.op.slice(0, 2) !== wanted.op.slice(0, 2)) return false;
  // { $gt: 5 } gives { $gt: 5 } although 5 itself does not; anything beyond 5 is decided by 5.
  if (given.op.length === 2 || wanted.op.length === 3) {
    if (equalValues(given.value, wanted.value)) return true;
  }
  return testValue(wanted, given.value);
}
