import { isDeepStrictEqual } from "node:util";
import { diffArrays } from "diff";

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

/** Pairs of entries that are not equal: between two matches, the entries are paired in their order. */
function pairsOf(before: readonly JsonObject[], after: readonly JsonObject[]): Pair[] {
  const pairs: Pair[] = [];
  // Entries up to here have been read, and these last ones of them have no match.
  let [from, to, removed, added] = [0, 0, 0, 0];
  const pair = () => {
    for (let n = 0; n < Math.max(removed, added); n++)
      pairs.push([n < removed ? from - removed + n : undefined, n < added ? to - added + n : undefined]);
    [removed, added] = [0, 0];
  };
  for (const part of diffArrays([...before], [...after], { comparator: isDeepStrictEqual })) {
    if (!part.removed && !part.added) pair();
    if (part.removed) removed += part.count;
    if (part.added) added += part.count;
    if (!part.added) from += part.count;
    if (!part.removed) to += part.count;
  }
  pair();
  return pairs;
}
