import type { Value } from "../bson/values.ts";
import { notImplemented } from "../errors.ts";

export interface Scope {
  root: Value;
  current: Value;
  variables: Map<string, Value | undefined>;
}
export function parseExpression(_e: Value, _o: { now: () => number }): (scope: Scope) => Value | undefined {
  throw notImplemented("expressions");
}
