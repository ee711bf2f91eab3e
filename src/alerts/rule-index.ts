import { type Alert, fieldReader, SEVERITY_FIELD, severities } from "./alert.ts";
import { type Condition, compileCondition, compileMatchers, type Matchers } from "./condition.ts";

/** Something that is chosen by what an alert says. */
export interface Indexed {
  readonly matchers: Matchers;
}

/**
 * Finds what an alert meets among very many, each of which is filed once: under the exact text that one of its conditions asks for, or
 * the beginning of one. Only what lies there, and what asks for no text, is tried. A severity is looked at first.
 */
export interface RuleIndex<T extends Indexed> {
  /** In the order in which they were given. */
  matching(alert: Alert): T[];
}

interface Filed<T> {
  readonly position: number;
  readonly one: T;
  /** A bit for each severity with which it can be met. */
  readonly severities: number;
  readonly meets: (alert: Alert) => boolean;
}

/** The fields that tell most things apart, the best first. */
const EXACT_FIELDS = ["event_type", "source", "entity_id", "entity_type"] as const;
const PREFIX_FIELD = "event_type";

export function createRuleIndex<T extends Indexed>(all: readonly T[]): RuleIndex<T> {
  const exact = EXACT_FIELDS.map((field) => ({
    read: fieldReader(field),
    field,
    byValue: new Map<string, Filed<T>[]>(),
  }));
  const beginnings: TrieNode<T> = newNode();
  const rest: Filed<T>[] = [];

  for (const [position, one] of all.entries()) {
    const { matchers } = one;
    const filed = { position, one, severities: severitiesOf(matchers), meets: compileMatchers(matchers) };
    const place = exact.find(({ field }) => exactValues(matchers, field));
    const values = place && exactValues(matchers, place.field);
    const head = beginningOf(matchers);
    if (place && values) for (const value of new Set(values)) push(place.byValue, value, filed);
    else if (head !== undefined) nodeAt(beginnings, head).filed.push(filed);
    else rest.push(filed);
  }

  return {
    matching(alert) {
      const bit = 1 << severities.indexOf(alert.severity);
      const found: Filed<T>[] = [];
      const tryAll = (some: readonly Filed<T>[] = []) => {
        for (const one of some) if ((one.severities & bit) !== 0 && one.meets(alert)) found.push(one);
      };
      for (const { read, byValue } of exact) {
        const value = read(alert);
        if (typeof value === "string") tryAll(byValue.get(value));
      }
      for (const node of nodesAlong(beginnings, alert.eventType)) tryAll(node.filed);
      tryAll(rest);
      return found.sort((a, b) => a.position - b.position).map(({ one }) => one);
    },
  };
}

/** The texts of which a field must be one; undefined: it may be another one. */
function exactValues({ match }: Matchers, field: string): readonly string[] | undefined {
  for (const condition of match) {
    if (condition.field !== field) continue;
    const { op, value } = condition;
    if (op === "eq" && typeof value === "string") return [value];
    if (op === "in" && Array.isArray(value))
      return value.filter((one): one is string => typeof one === "string");
  }
  return undefined;
}

/** What the type of the event must begin with; undefined: with anything. */
function beginningOf({ match }: Matchers): string | undefined {
  const heads = match.flatMap(({ field, op, value }) => {
    if (field !== PREFIX_FIELD || (op !== "prefix" && op !== "glob")) return [];
    const text = String(value);
    return op === "glob" ? text.slice(0, Math.max(0, text.indexOf("*"))) : text;
  });
  const [longest] = heads.filter((head) => head !== "").sort((a, b) => b.length - a.length);
  return longest;
}

/** A bit for each severity that no condition of `match` on it rules out. */
function severitiesOf({ match }: Matchers): number {
  const own = match
    .filter(({ field }) => field === SEVERITY_FIELD)
    .map((one: Condition) => compileCondition(one));
  return severities.reduce((mask, severity, index) => {
    const alert: Alert = { eventType: "", source: "", message: "", context: {}, severity };
    return own.every((test) => test(alert) === "holds") ? mask | (1 << index) : mask;
  }, 0);
}

interface TrieNode<T> {
  readonly next: Map<string, TrieNode<T>>;
  readonly filed: Filed<T>[];
}

const newNode = <T>(): TrieNode<T> => ({ next: new Map(), filed: [] });

function nodeAt<T>(root: TrieNode<T>, text: string): TrieNode<T> {
  let node = root;
  for (const unit of text.split("")) {
    const next = node.next.get(unit) ?? newNode<T>();
    node.next.set(unit, next);
    node = next;
  }
  return node;
}

function* nodesAlong<T>(root: TrieNode<T>, text: string): Generator<TrieNode<T>> {
  let node: TrieNode<T> | undefined = root;
  for (let at = 0; node; at++) {
    yield node;
    node = at < text.length ? node.next.get(text.charAt(at)) : undefined;
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const present = map.get(key);
  if (present) present.push(value);
  else map.set(key, [value]);
}
