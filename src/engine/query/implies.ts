import { conjuncts, type FieldTest, type Filter } from "./filter.ts";
import { testValue } from "./matches.ts";

/**
 * True when every document that matches `filter` certainly matches `condition` (of a partial index). It may return false
 * although true is correct: the index is then not used.
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
  if (given.op === "exists") return wanted.op === "exists";
  if (given.op === "in") {
    const { values } = given;
    return values.length > 0 && values.every((value) => impliesTest({ op: "eq", value }, wanted));
  }
  // A missing field counts as null, and an array may match by its elements.
  if (given.value === null || Array.isArray(given.value)) return false;
  return given.op === "eq" ? testValue(wanted, given.value) : wanted.op === "exists";
}
