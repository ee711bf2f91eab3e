import type { KeyField } from "../storage/index-keys.ts";
import type { Collection, Index } from "../storage/schema.ts";
import { type Bounds, beginningWith, boundsOf, complement, type Interval, intersect } from "./bounds.ts";
import { conjuncts, type Filter } from "./filter.ts";
import { implies } from "./implies.ts";

/** A range of the bytes of an index; its keys share their first `prefix` bytes. */
export interface ByteRange extends Interval {
  prefix: number;
}

/** The access path of a query. */
export type Plan =
  | { kind: "scan"; sorted: boolean; exact: boolean }
  | {
      kind: "index";
      index: Index;
      ranges: readonly ByteRange[];
      reverse: boolean;
      /** True if the result has the requested order, by merging the ranges if `merge` is set. */
      sorted: boolean;
      merge: boolean;
      /** True if the ranges hold exactly the requested documents, so that no test is left. */
      exact: boolean;
    };

/** Maximum of combinations of $in values for separate lookups. */
const MAX_RANGES = 100_000;

/** Maximum of ranges that are merged to keep an order: beyond it sorting is cheaper. */
const MAX_MERGED = 200;

/** Chooses an index for a filter and an order. */
export function choosePlan(collection: Collection, filter: Filter, sort: readonly KeyField[]): Plan {
  const parts = conjuncts(filter);
  let best: { plan: Plan; score: number } | undefined;
  for (const index of collection.indexes) {
    const candidate = planIndex(index, filter, parts, sort);
    if (candidate !== undefined && (best === undefined || candidate.score > best.score)) best = candidate;
  }
  return best?.plan ?? { kind: "scan", sorted: sort.length === 0, exact: parts.length === 0 };
}

function planIndex(
  index: Index,
  filter: Filter,
  parts: readonly Filter[],
  sort: readonly KeyField[],
): { plan: Plan; score: number } | undefined {
  if (index.partial !== undefined && !implies(filter, index.partial)) return undefined;
  const bound = bindFields(index, parts);
  const pointFields = bound.filter(({ points }) => points).length;
  const order = sortBy(index, bound, sort);
  if (bound.length === 0 && (order === undefined || sort.length === 0)) return undefined;
  const used = new Set(bound.flatMap(({ used }) => used));
  const answered = (part: Filter) =>
    used.has(part) || (index.partial !== undefined && implies(index.partial, part));
  const exact = !index.multikey && parts.every(answered);
  const plan: Plan = {
    kind: "index",
    index,
    ranges: rangesOf(bound),
    reverse: order?.reverse ?? false,
    sorted: order !== undefined,
    merge: order?.merge ?? false,
    exact,
  };
  const single = index.unique && pointFields === index.fields.length;
  const ranged = bound.length > pointFields;
  // A value of all fields selects fewer documents than a value of the first field: a trace id fewer than an account.
  const whole = pointFields > 0 && pointFields === index.fields.length;
  const score =
    (single ? 1000 : 0) +
    pointFields * 10 +
    (ranged ? 4 : 0) +
    (whole ? 2 : 0) +
    (sort.length > 0 && plan.sorted ? 5 : 0) +
    (exact ? 1 : 0) +
    // It contains fewer documents than an equal index of all.
    (index.partial === undefined ? 0 : 0.5);
  return { plan, score };
}

interface BoundField extends Bounds {
  /** The conditions that the bounds express fully. */
  used: Filter[];
}

/** Bounds for the leading fields that can be used: points, then at most one range. */
function bindFields(index: Index, parts: readonly Filter[]): BoundField[] {
  const result: BoundField[] = [];
  const roots = new Set<string>();
  let combinations = 1;
  for (const field of index.fields) {
    // Different elements may match conditions on two fields below one array: only one of them can be used.
    if (index.multikey && roots.has(field.parts[0] as string)) break;
    roots.add(field.parts[0] as string);
    const bounds = bindField(field, parts, index.multikey);
    if (bounds === undefined) break;
    combinations *= Math.max(1, bounds.intervals.length);
    if (combinations > MAX_RANGES) break;
    result.push(bounds);
    if (!bounds.points) break;
  }
  return result;
}

function bindField(field: KeyField, parts: readonly Filter[], multikey: boolean): BoundField | undefined {
  let result: BoundField | undefined;
  for (const part of parts) {
    const bounds = boundsOfPart(part, field, multikey);
    if (bounds === undefined) continue;
    if (result === undefined) result = { ...bounds, used: [part] };
    else if (!multikey) result = { ...intersect(result, bounds), used: [...result.used, part] };
    else if (bounds.points && !result.points) result = { ...bounds, used: [part] };
  }
  return result;
}

function boundsOfPart(part: Filter, field: KeyField, multikey: boolean): Bounds | undefined {
  if (part.kind === "field" && part.path === field.path)
    return boundsOf(part.test, field.descending, multikey);
  // For an indexed array, one element may be in the range although the document does not match the condition.
  if (part.kind !== "not" || multikey) return undefined;
  const { filter } = part;
  if (filter.kind !== "field" || filter.path !== field.path) return undefined;
  const inside = boundsOf(filter.test, field.descending, multikey);
  return inside && complement(inside);
}

/** In the order of the index, as the intervals of each field. */
function rangesOf(bound: readonly BoundField[]): ByteRange[] {
  let ranges: ByteRange[] = [{ ...beginningWith(Buffer.alloc(0)), prefix: 0 }];
  for (const { intervals, points } of bound) {
    ranges = ranges.flatMap(({ start: prefix }) =>
      intervals.map((interval) => {
        const start = Buffer.concat([prefix, interval.start]);
        const end = Buffer.concat([prefix, interval.end]);
        return { start, end, prefix: points ? start.length : prefix.length };
      }),
    );
  }
  return ranges;
}

/** The direction in which the index has the requested order; undefined: none. */
function sortBy(
  index: Index,
  bound: readonly BoundField[],
  sort: readonly KeyField[],
): { reverse: boolean; merge: boolean } | undefined {
  if (sort.length === 0) return { reverse: false, merge: false };
  // An array sorts by its least or greatest element, which a walk along one range may not meet first. An _id is never an array.
  if (index.multikey && sort.some(({ path }) => path !== "_id")) return undefined;
  const firstMany = bound.findIndex(({ points, intervals }) => !points || intervals.length !== 1);
  const singles = firstMany < 0 ? bound.length : firstMany;
  const fixed = new Set(index.fields.slice(0, singles).map((field) => field.path));
  const straight = directionFrom(index, singles, sort, fixed);
  if (straight !== undefined) return { reverse: straight, merge: false };
  // A document may be in several ranges.
  if (index.multikey) return undefined;
  const pointFields = bound.filter(({ points }) => points).length;
  const ranges = bound.reduce((product, { intervals }) => product * intervals.length, 1);
  if (ranges > MAX_MERGED) return undefined;
  const merged = directionFrom(index, pointFields, sort, fixed);
  return merged === undefined ? undefined : { reverse: merged, merge: true };
}

function directionFrom(
  index: Index,
  start: number,
  sort: readonly KeyField[],
  fixed: ReadonlySet<string>,
): boolean | undefined {
  let at = start;
  let reverse: boolean | undefined;
  for (const wanted of sort) {
    if (fixed.has(wanted.path)) continue;
    const field = index.fields[at++];
    if (field === undefined || field.path !== wanted.path) return undefined;
    const turned = field.descending !== wanted.descending;
    if (reverse === undefined) reverse = turned;
    else if (reverse !== turned) return undefined;
  }
  return reverse ?? false;
}
