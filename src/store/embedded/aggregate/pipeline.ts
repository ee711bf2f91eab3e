import { fieldSelector } from "../bson/select.ts";
import { type Doc, Int32, type Value } from "../bson/values.ts";
import { CommandError, notImplemented } from "../errors.ts";
import type { Filter } from "../query/filter.ts";
import { parseFilter } from "../query/parse-filter.ts";
import { parseSort } from "../query/sort.ts";
import type { KeyField } from "../storage/index-keys.ts";
import { parseLookup } from "./lookup.ts";
import type { Pipeline, PipelineContext, Source } from "./pipeline-context.ts";
import {
  countName,
  countStage,
  limitStage,
  parseGroup,
  parseMatch,
  parseSortStage,
  parseUnwind,
  type Stage,
  skipStage,
  stageCount,
} from "./stages.ts";
import { evaluator, parseTransform } from "./transforms.ts";

/** Parses a pipeline. Its first stages are answered by the collection's indexes as far as they can. */
export function parsePipeline(stages: readonly Value[], context: PipelineContext): Pipeline {
  const parsed = stages.map(asStage);
  const { source, rest } = splitSource(parsed, context);
  const counted = countsAll(rest[0]);
  const fields = fieldsRead(rest[0], context);
  const select = fieldSelector(fields);
  const later = rest.map(([name, spec]) => parseStage(name, spec, context));
  const [, ...afterCount] = later;
  return (collection, filter) => {
    const full: Source = { ...source, filter: { kind: "and", filters: [filter, source.filter] } };
    if (counted !== undefined) {
      const n = context.count(collection, full);
      return run(n === 0 ? [] : [counted(n)], afterCount);
    }
    return run(context.read(collection, full, select), later);
  };
}

function run(documents: Iterable<Doc>, stages: readonly Stage[]): Iterable<Doc> {
  return stages.reduce((input, stage) => stage(input), documents);
}

type NamedStage = readonly [name: string, spec: Value];

function asStage(stage: Value): NamedStage {
  if (!(stage instanceof Map))
    throw new CommandError(14, "Each element of the 'pipeline' array must be an object");
  if (stage.size !== 1)
    throw new CommandError(40323, "A pipeline stage specification object must contain exactly one field.");
  const [name = ""] = stage.keys();
  return [name, stage.get(name) as Value];
}

/** $match..., $sort, $skip, $limit at the beginning, in this order. */
function splitSource(
  stages: readonly NamedStage[],
  context: PipelineContext,
): { source: Source; rest: readonly NamedStage[] } {
  const filters: Filter[] = [];
  const source = { sort: [] as KeyField[], skip: 0, limit: 0 };
  let at = 0;
  for (; stages[at]?.[0] === "$match"; at++) {
    const spec = stages[at]?.[1];
    if (!(spec instanceof Map))
      throw new CommandError(15959, "the match filter must be an expression in an object");
    filters.push(parseFilter(spec, (expression) => evaluator(expression, context)));
  }
  const order = stages[at]?.[1];
  if (stages[at]?.[0] === "$sort" && order instanceof Map && order.size > 0) {
    source.sort = parseSort(order);
    at++;
  }
  if (stages[at]?.[0] === "$skip") source.skip = stageCount("$skip", stages[at++]?.[1] as Value);
  if (stages[at]?.[0] === "$limit") source.limit = stageCount("$limit", stages[at++]?.[1] as Value);
  return { source: { ...source, filter: { kind: "and", filters } }, rest: stages.slice(at) };
}

/** `$count`, or the `$group` by which drivers count documents: then no document has to be read. */
function countsAll(stage: NamedStage | undefined): ((n: number) => Doc) | undefined {
  if (stage?.[0] === "$count") {
    const name = countName(stage[1]);
    return (n) => new Map([[name, new Int32(n)]]);
  }
  if (stage?.[0] !== "$group" || !(stage[1] instanceof Map) || stage[1].size !== 2) return undefined;
  const id = stage[1].get("_id");
  const [[name, sum]] = [...stage[1]].filter(([field]) => field !== "_id") as [[string, Value]];
  const one = sum instanceof Map && sum.size === 1 ? sum.get("$sum") : undefined;
  if (!(one instanceof Int32) || one.value !== 1 || !(id === null || id instanceof Int32)) return undefined;
  return (n) =>
    new Map<string, Value>([
      ["_id", id],
      [name, new Int32(n)],
    ]);
}

/** The top-level fields that a `$group` at the beginning reads: no other has to be decoded. */
function fieldsRead(stage: NamedStage | undefined, context: PipelineContext): Set<string> | undefined {
  if (stage?.[0] !== "$group") return undefined;
  const fields = new Set<string>();
  let all = false;
  parseGroup(stage[1], {
    ...context,
    context: {
      ...context.context,
      reads: (field) => {
        if (field === undefined) all = true;
        else fields.add(field);
      },
    },
  });
  return all ? undefined : fields;
}

const KNOWN_BUT_REFUSED = new Set([
  "$bucket",
  "$bucketAuto",
  "$changeStream",
  "$changeStreamSplitLargeEvent",
  "$collStats",
  "$currentOp",
  "$densify",
  "$documents",
  "$fill",
  "$geoNear",
  "$graphLookup",
  "$indexStats",
  "$listLocalSessions",
  "$listSampledQueries",
  "$listSearchIndexes",
  "$listSessions",
  "$merge",
  "$out",
  "$planCacheStats",
  "$redact",
  "$sample",
  "$search",
  "$searchMeta",
  "$setWindowFields",
  "$shardedDataDistribution",
  "$unionWith",
]);

function parseStage(name: string, spec: Value, context: PipelineContext): Stage {
  const transform = parseTransform(name, spec, context);
  if (transform !== undefined) {
    return function* (documents) {
      for (const document of documents) yield transform(document);
    };
  }
  switch (name) {
    case "$match":
      return parseMatch(spec, context);
    case "$group":
      return parseGroup(spec, context);
    case "$sort":
      return parseSortStage(spec);
    case "$limit":
      return limitStage(stageCount("$limit", spec));
    case "$skip":
      return skipStage(stageCount("$skip", spec));
    case "$count":
      return countStage(countName(spec));
    case "$unwind":
      return parseUnwind(spec);
    case "$lookup":
      return parseLookup(spec, context);
    case "$sortByCount":
      return parseSortByCount(spec, context);
    case "$facet":
      return parseFacet(spec, context);
  }
  if (KNOWN_BUT_REFUSED.has(name)) throw notImplemented(`the stage ${name}`);
  throw new CommandError(40324, `Unrecognized pipeline stage name: '${name}'`);
}

function parseSortByCount(spec: Value, context: PipelineContext): Stage {
  const group = parseGroup(
    new Map<string, Value>([
      ["_id", spec],
      ["count", new Map([["$sum", new Int32(1)]])],
    ]),
    context,
  );
  const sort = parseSortStage(new Map([["count", new Int32(-1)]]));
  return (documents) => sort(group(documents));
}

function parseFacet(spec: Value, context: PipelineContext): Stage {
  if (!(spec instanceof Map) || spec.size === 0) {
    throw new CommandError(40169, "the $facet specification must be a non-empty object");
  }
  const facets = [...spec].map(([name, stages]) => {
    if (!Array.isArray(stages))
      throw new CommandError(40170, `arguments to $facet must be arrays, ${name} is not`);
    return [name, stages.map(asStage).map((stage) => parseStage(stage[0], stage[1], context))] as const;
  });
  return function* (documents) {
    const all = [...documents];
    const result: Doc = new Map();
    for (const [name, stages] of facets) result.set(name, [...run(all, stages)]);
    yield result;
  };
}
