import { type Doc, doc, Int32, int, type Value } from "../bson/values.ts";
import { CommandError, notImplemented } from "../errors.ts";
import { type Filter, MATCH_ALL } from "../query/filter.ts";
import { countDocuments } from "../query/find-documents.ts";
import { parseFilter } from "../query/parse-filter.ts";
import { type Call, type Command, collectionName, optionalCount, requiredArray } from "./command.ts";
import { cursorBatchSize, openCursor } from "./cursor-reply.ts";

/** Counts the documents of a collection. */
export const count: Command = {
  fields: [],
  run: (call) => doc({ n: int(countIn(call, MATCH_ALL, undefined)) }),
};

/** Stages of the only supported pipeline, in their order. */
export const COUNT_STAGES: readonly string[] = ["$match", "$limit", "$group"];

/** Supports only the pipeline with which drivers count the results of a filter: there is no aggregation language. */
export const aggregate: Command = {
  inTransaction: true,
  fields: ["pipeline", "cursor"],
  run: (call) => {
    const pipeline = requiredArray(call, "pipeline");
    const batchSize = cursorBatchSize(call);
    const stages = stagesOf(pipeline);
    const filter = stages.get("$match") ?? new Map();
    if (!(filter instanceof Map)) {
      throw new CommandError(15959, "the match filter must be an expression in an object");
    }
    const limit = optionalCount(stages, "$limit", "aggregate");
    if (limit === 0) throw new CommandError(15958, "the limit must be positive");
    const [id, field] = countedAs(stages.get("$group"));
    const n = countIn(call, parseFilter(filter, call.now), limit);
    const counted = n === 0 ? [] : [doc({ _id: id }).set(field, int(n))];
    return openCursor(call, collectionName(call), counted, { batchSize });
  },
};

function stagesOf(pipeline: readonly Value[]): Doc {
  const stages: Doc = new Map();
  for (const stage of pipeline) {
    if (!(stage instanceof Map)) {
      throw new CommandError(14, "Each element of the 'pipeline' array must be an object");
    }
    if (stage.size !== 1) {
      throw new CommandError(40323, "A pipeline stage specification object must contain exactly one field.");
    }
    for (const [name, spec] of stage) {
      if (!COUNT_STAGES.includes(name)) {
        throw new CommandError(40324, `Unrecognized pipeline stage name: '${name}'`);
      }
      stages.set(name, spec);
    }
  }
  const inOrder = COUNT_STAGES.filter((name) => stages.has(name));
  if (inOrder.length === pipeline.length && inOrder.join() === [...stages.keys()].join()) return stages;
  throw notImplemented("a pipeline that does not count");
}

/** The _id and the field of `{ _id: 1, n: { $sum: 1 } }`. */
function countedAs(group: Value | undefined): readonly [Value, string] {
  if (group instanceof Map && group.size === 2) {
    const [[idField, id], [field, sum]] = group as unknown as [[string, Value], [string, Value]];
    const one = sum instanceof Map && sum.size === 1 ? sum.get("$sum") : undefined;
    if (idField === "_id" && id instanceof Int32 && one instanceof Int32 && one.value === 1)
      return [id, field];
  }
  throw notImplemented("a pipeline that does not count");
}

function countIn(call: Call, filter: Filter, limit: number | undefined): number {
  const collection = call.engine.find(call.db, collectionName(call));
  return collection === undefined ? 0 : countDocuments(call.engine.file, { collection, filter, limit });
}
