import type { Value } from "../bson/values.ts";
import type { Evaluate } from "./expression.ts";

/** A query as a tree, which the matcher evaluates and the planner reads. */
export type Filter =
  | { kind: "and" | "or"; filters: readonly Filter[] }
  | { kind: "not"; filter: Filter }
  | { kind: "field"; path: string; parts: readonly string[]; test: FieldTest }
  | { kind: "expr"; evaluate: Evaluate };

/** A condition on one field. */
export type FieldTest =
  | { op: "eq"; value: Value }
  | { op: Comparison; value: Value }
  | { op: "in"; values: readonly Value[]; identities: ReadonlySet<string> }
  | { op: "exists" };

export type Comparison = "gt" | "gte" | "lt" | "lte";

export const MATCH_ALL: Filter = { kind: "and", filters: [] };

/** Names of the top-level fields that a filter reads; undefined when it may read any, because it has an expression. */
export function fieldsOf(filter: Filter, into: Set<string> = new Set()): Set<string> | undefined {
  switch (filter.kind) {
    case "and":
    case "or":
      return filter.filters.every((part) => fieldsOf(part, into) !== undefined) ? into : undefined;
    case "not":
      return fieldsOf(filter.filter, into);
    case "field":
      return into.add(filter.parts[0] as string);
    case "expr":
      return undefined;
  }
}

/** The conditions that must all match, with nested $and flattened. */
export function conjuncts(filter: Filter): Filter[] {
  if (filter.kind !== "and") return [filter];
  return filter.filters.flatMap(conjuncts);
}
