import type { RegexValue, Value } from "../bson/values.ts";

/** A query as a tree: what the matcher evaluates and the planner reads. */
export type Filter =
  | { kind: "and" | "or" | "nor"; filters: readonly Filter[] }
  | { kind: "not"; filter: Filter }
  | { kind: "field"; path: string; parts: readonly string[]; test: FieldTest }
  | { kind: "expr"; evaluate: (root: Value) => Value | undefined }
  | { kind: "constant"; value: boolean };

/** A condition on one field. */
export type FieldTest =
  | { op: "eq" | "gt" | "gte" | "lt" | "lte"; value: Value }
  | { op: "in"; values: readonly Value[]; identities: ReadonlySet<string>; regexes: readonly RegexTest[] }
  | { op: "exists" }
  | { op: "type"; types: ReadonlySet<number>; anyNumber: boolean }
  | { op: "regex"; regex: RegexTest }
  | { op: "mod"; divisor: bigint; remainder: bigint }
  | { op: "size"; size: number }
  | { op: "bits"; want: "allSet" | "allClear" | "anySet" | "anyClear"; positions: readonly number[] }
  | { op: "elemMatchObject"; filter: Filter }
  | { op: "elemMatchValue"; filter: Filter };

export interface RegexTest {
  source: RegexValue;
  compiled: RegExp;
}

export const MATCH_ALL: Filter = { kind: "and", filters: [] };

/** Names of the top-level fields that a filter reads; undefined when it may read any. */
export function fieldsOf(filter: Filter, into: Set<string> = new Set()): Set<string> | undefined {
  switch (filter.kind) {
    case "and":
    case "or":
    case "nor":
      for (const part of filter.filters) {
        if (fieldsOf(part, into) === undefined) return undefined;
      }
      return into;
    case "not":
      return fieldsOf(filter.filter, into);
    case "field":
      return into.add(filter.parts[0] as string);
    case "expr":
      return undefined;
    case "constant":
      return into;
  }
}

/** The conditions that must all hold, with nested $and flattened. */
export function conjuncts(filter: Filter): Filter[] {
  if (filter.kind !== "and") return [filter];
  return filter.filters.flatMap(conjuncts);
}

/** Whether `$expr` stands anywhere in a filter. */
export function hasExpression(filter: Filter): boolean {
  switch (filter.kind) {
    case "and":
    case "or":
    case "nor":
      return filter.filters.some(hasExpression);
    case "not":
      return hasExpression(filter.filter);
    case "expr":
      return true;
    case "field":
    case "constant":
      return false;
  }
}
