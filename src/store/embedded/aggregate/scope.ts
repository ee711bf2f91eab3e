import type { Value } from "../bson/values.ts";

/** What an expression is evaluated against. Undefined stands for a missing value. */
export interface Scope {
  root: Value;
  variables: ReadonlyMap<string, Value | undefined>;
}

export type Evaluate = (scope: Scope) => Value | undefined;

/** What parsing needs to know, and what it finds out. */
export interface ParseContext {
  now(): number;
  /** Variables that may be named with "$$". */
  variables: ReadonlySet<string>;
  /** Called with each top-level field that the expression reads; undefined: the whole document. */
  reads(field: string | undefined): void;
}

export function parseContext(now: () => number, reads: ParseContext["reads"] = () => {}): ParseContext {
  return { now, variables: new Set(), reads };
}

export function withVariables(context: ParseContext, names: Iterable<string>): ParseContext {
  return { ...context, variables: new Set([...context.variables, ...names]) };
}

export function bind(scope: Scope, values: Iterable<readonly [string, Value | undefined]>): Scope {
  return { root: scope.root, variables: new Map([...scope.variables, ...values]) };
}

export type Parse = (expression: Value, context: ParseContext) => Evaluate;

/** Parses the operand of one operator. */
export type OperatorParser = (operand: Value, context: ParseContext, parse: Parse, name: string) => Evaluate;
