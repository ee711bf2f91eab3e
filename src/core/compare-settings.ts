import { isDeepStrictEqual } from "node:util";

/** JSON value. */
type Json = null | boolean | number | string | readonly Json[] | JsonObject;
interface JsonObject {
  readonly [name: string]: Json | undefined;
}

/** A field that differs. Values are JSON, without secrets. */
export interface SettingDifference {
  /** Path, such as `transports.0.smtp.tls`: in the later state, or in the earlier one for a removed part. */
  readonly field: string;
  /** Missing: the field did not exist, or it is secret. */
  readonly before?: string;
  /** Missing: the field no longer exists, or it is secret. */
  readonly after?: string;
  readonly secret: boolean;
}

/**
 * Compares two states of a setting, field by field. Lists of plain values are compared as a whole. In lists of objects,
 * equal entries are matched first, so that an inserted entry is one difference.
 * @param secrets names of fields with values that are never shown
 */
export function compareSettings(
  before: object,
  after: object,
  secrets: ReadonlySet<string> = new Set(),
): SettingDifference[] {
  const found: SettingDifference[] = [];
  const shown = (value: Json) =>
    JSON.stringify(value, (name, inner: unknown) => (secrets.has(name) ? undefined : inner));

  function differ(field: string, isSecret: boolean, from: Json | undefined, to: Json | undefined): void {
    if (isSecret) found.push({ field, secret: true });
    else
      found.push({
        field,
        ...(from !== undefined && { before: shown(from) }),
        ...(to !== undefined && { after: shown(to) }),
        secret: false,
      });
  }

  function compareLists(path: readonly string[], from: readonly JsonObject[], to: readonly JsonObject[]) {
    for (const [a, b] of pairsOf(from, to)) {
      const at = [...path, String(b ?? a)];
      if (a === undefined || b === undefined)
        differ(
          at.join("."),
          false,
          a === undefined ? undefined : from[a],
          b === undefined ? undefined : to[b],
        );
      else compare(at, from[a], to[b]);
    }
  }

  function compare(path: readonly string[], from: Json | undefined, to: Json | undefined): void {
    if (isDeepStrictEqual(from, to)) return;
    if (isObjects(from) && isObjects(to)) compareLists(path, from, to);
    else if (isObject(from) && isObject(to)) {
      for (const name of new Set([...Object.keys(from), ...Object.keys(to)]))
        compare([...path, name], from[name], to[name]);
    } else differ(path.join("."), secrets.has(path.at(-1) ?? ""), from, to);
  }

  compare([], before as JsonObject, after as JsonObject);
  return found;
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isObjects = (value: Json | undefined): value is readonly JsonObject[] =>
  Array.isArray(value) && value.length > 0 && value.every((entry) => isObject(entry as Json));

type Pair = readonly [before: number | undefined, after: number | undefined];

/**
 * Pairs of entries that are not equal: between two matches, the entries are paired in their order. Lists have at most
 * 100 entries, so the table of the longest common subsequence is small.
 */
function pairsOf(before: readonly JsonObject[], after: readonly JsonObject[]): Pair[] {
  const isSame = (a: number, b: number) => isDeepStrictEqual(before[a], after[b]);
  const lengths = Array.from({ length: before.length + 1 }, () =>
    new Array<number>(after.length + 1).fill(0),
  );
  const lengthAt = (a: number, b: number) => lengths[a]?.[b] ?? 0;
  for (let a = before.length - 1; a >= 0; a--) {
    for (let b = after.length - 1; b >= 0; b--) {
      const length = isSame(a, b)
        ? lengthAt(a + 1, b + 1) + 1
        : Math.max(lengthAt(a + 1, b), lengthAt(a, b + 1));
      (lengths[a] as number[])[b] = length;
    }
  }
  const pairs: Pair[] = [];
  let removed: number[] = [];
  let added: number[] = [];
  const flush = () => {
    for (let n = 0; n < Math.max(removed.length, added.length); n++) pairs.push([removed[n], added[n]]);
    removed = [];
    added = [];
  };
  for (let a = 0, b = 0; a < before.length || b < after.length; ) {
    if (a < before.length && b < after.length && isSame(a, b)) {
      flush();
      a++;
      b++;
    } else if (b === after.length || (a < before.length && lengthAt(a + 1, b) >= lengthAt(a, b + 1))) {
      removed.push(a++);
    } else added.push(b++);
  }
  flush();
  return pairs;
}
