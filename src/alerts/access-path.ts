import { contextPath, SEVERITY_FIELD } from "./alert.ts";
import type { Condition, ConditionValue, Matchers } from "./condition.ts";
import { MIN_PART } from "./text-parts.ts";

/**
 * Requirement of a condition that an index can evaluate:
 *
 * - `exact`: one of these values
 * - `head`: a text with this beginning
 * - `part`: a text that contains this
 * - `presence`: any value
 */
export type AccessPath =
  | { readonly field: string; readonly kind: "exact"; readonly values: readonly ConditionValue[] }
  | { readonly field: string; readonly kind: "head" | "part"; readonly text: string }
  | { readonly field: string; readonly kind: "presence" };

/** Most selective kind first. */
const KINDS: readonly AccessPath["kind"][] = ["exact", "head", "part", "presence"];
/** Most selective fields first. Context fields come last. */
const FIELDS: readonly string[] = ["event_type", "source", "entity_id", "entity_type"];
/** Greater than the length of any text in a condition. */
const RANK = 10_000;

/**
 * Paths of which at least one applies to every alert that meets the matchers: the path of one condition of `match`, or the paths
 * of all conditions of `any`. If the result is empty, every alert must be tested.
 */
export function accessPathsOf({ match, any }: Matchers): readonly AccessPath[] {
  const [best] = match.flatMap((condition) => pathOf(condition) ?? []).sort(byWorth);
  const alternatives = any.map(pathOf);
  const isWhole = alternatives.length > 0 && alternatives.every((path) => path !== undefined);
  if (!isWhole) return best ? [best] : [];
  const [worst] = alternatives.toSorted(byWorth).reverse();
  return best && (!worst || byWorth(best, worst) <= 0) ? [best] : alternatives;
}

/** undefined if the condition can hold for any value, or for a missing field. */
function pathOf({ field, op, value }: Condition): AccessPath | undefined {
  // There are only three severities, so they are filtered without an index.
  if (field === SEVERITY_FIELD) return undefined;
  if (op === "eq") return { field, kind: "exact", values: [value as ConditionValue] };
  if (op === "in") return { field, kind: "exact", values: [...new Set([value].flat())] as ConditionValue[] };
  const text = String(value);
  if (op === "prefix" && text !== "") return { field, kind: "head", text };
  if (op === "glob") return globPath(field, text) ?? presence(field);
  if (op === "contains" && text.length >= MIN_PART) return { field, kind: "part", text };
  const needsValue = op !== "ne" && !(op === "exists" && value !== true);
  return needsValue ? presence(field) : undefined;
}

function globPath(field: string, pattern: string): AccessPath | undefined {
  const pieces = pattern.split("*");
  const [head = ""] = pieces;
  if (pieces.length === 1) return { field, kind: "exact", values: [head] };
  if (head !== "") return { field, kind: "head", text: head };
  const [longest = ""] = pieces.sort((a, b) => b.length - a.length);
  return longest.length >= MIN_PART ? { field, kind: "part", text: longest } : undefined;
}

/** Presence path of a field that not every alert has. */
function presence(field: string): AccessPath | undefined {
  const isOptional = contextPath(field) !== undefined || field === "entity_type" || field === "entity_id";
  return isOptional ? { field, kind: "presence" } : undefined;
}

function byWorth(a: AccessPath, b: AccessPath): number {
  return cost(a) - cost(b);
}

function cost(path: AccessPath): number {
  const rank = KINDS.indexOf(path.kind) * RANK;
  if (path.kind === "head" || path.kind === "part") return rank - path.text.length;
  return rank + (FIELDS.includes(path.field) ? FIELDS.indexOf(path.field) : FIELDS.length);
}
