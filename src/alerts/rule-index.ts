// Rules are filed under one condition on a field, so most rules are never evaluated. A part of a text is found by three
// of its units that few other rules have, without an automaton.

import { type AccessPath, accessPathsOf } from "./access-path.ts";
import { type Alert, fieldReader, SEVERITY_FIELD, severities } from "./alert.ts";
import { type ConditionValue, compileMatchers, type Matchers, severitiesMeeting } from "./condition.ts";
import { createTextHeads } from "./text-heads.ts";
import { createTextParts } from "./text-parts.ts";

/** Entry of the index. */
export interface Indexed {
  readonly matchers: Matchers;
}

/**
 * Finds the entries that an alert meets among very many. Each entry is indexed by one of its conditions: a value, the beginning
 * of a text, or a part of a text. Only entries that the index finds for the alert, and entries that cannot be indexed, are
 * tested. The severity is tested first.
 */
export interface RuleIndex<T extends Indexed> {
  /** Returns the entries in their original order. */
  matching(alert: Alert): T[];
}

interface Filed<T> {
  readonly position: number;
  readonly one: T;
  /** Bit mask of the severities that can meet the entry. */
  readonly severities: number;
  readonly meets: (alert: Alert) => boolean;
}

export function createRuleIndex<T extends Indexed>(all: readonly T[]): RuleIndex<T> {
  const byField = new Map<string, (readonly [AccessPath, Filed<T>])[]>();
  const rest: Filed<T>[] = [];
  for (const [position, one] of all.entries()) {
    const { matchers } = one;
    const filed = { position, one, severities: severitiesOf(matchers), meets: compileMatchers(matchers) };
    const paths = accessPathsOf(matchers);
    if (paths.length === 0) rest.push(filed);
    for (const path of paths) push(byField, path.field, [path, filed]);
  }
  const fields = [...byField].map(([field, filed]) => createFieldIndex(field, filed));

  return {
    matching(alert) {
      const bit = 1 << severities.indexOf(alert.severity);
      const found = new Set<Filed<T>>();
      const tryAll = (some: readonly Filed<T>[]) => {
        for (const one of some) if ((one.severities & bit) !== 0 && one.meets(alert)) found.add(one);
      };
      tryAll(rest);
      for (const candidates of fields) for (const some of candidates(alert)) tryAll(some);
      return [...found].sort((a, b) => a.position - b.position).map(({ one }) => one);
    },
  };
}

/** Index of one field: lists of entries that an alert may meet. */
function createFieldIndex<T>(
  field: string,
  filed: readonly (readonly [AccessPath, T])[],
): (alert: Alert) => Iterable<readonly T[]> {
  const read = fieldReader(field);
  const exact = new Map<ConditionValue, T[]>();
  const texts = { head: [] as [string, T][], part: [] as [string, T][] };
  const present: T[] = [];
  for (const [path, one] of filed) {
    if (path.kind === "exact") for (const value of path.values) push(exact, value, one);
    else if (path.kind === "presence") present.push(one);
    else texts[path.kind].push([path.text, one]);
  }
  const heads = createTextHeads(texts.head);
  const parts = createTextParts(texts.part);

  return function* candidates(alert) {
    const value = read(alert);
    if (value === undefined) return;
    yield present;
    yield exact.get(value as ConditionValue) ?? [];
    if (typeof value !== "string") return;
    yield* heads.candidates(value);
    yield* parts.candidates(value);
  };
}

/** Bit mask of the severities that no condition of `match` excludes. */
function severitiesOf({ match }: Matchers): number {
  const own = match.filter(({ field }) => field === SEVERITY_FIELD).map(severitiesMeeting);
  return severities.reduce(
    (mask, severity, index) => (own.every((met) => met.includes(severity)) ? mask | (1 << index) : mask),
    0,
  );
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const present = map.get(key);
  if (present) present.push(value);
  else map.set(key, [value]);
}
