import { parsePipeline } from "../aggregate/pipeline.ts";
import type { PipelineContext, Source } from "../aggregate/pipeline-context.ts";
import { parseContext, withVariables } from "../aggregate/scope.ts";
import type { FieldSelector } from "../bson/select.ts";
import type { Doc } from "../bson/values.ts";
import { CommandError, notImplemented } from "../errors.ts";
import { MATCH_ALL } from "../query/filter.ts";
import { countDocuments, findDocuments } from "../query/find-documents.ts";
import { cursorBatchSize } from "./collections.ts";
import { type Call, type Command, collectionName, optionalDoc, wrongType } from "./command.ts";
import { openCursor } from "./cursor-reply.ts";

export const aggregate: Command = {
  inTransaction: true,
  fields: ["pipeline", "cursor", "hint", "allowDiskUse", "let"],
  refused: ["explain", "collation", "bypassDocumentValidation", "needsMerge", "fromMongos"],
  run: (call) => {
    if (typeof call.body.get("aggregate") !== "string")
      throw notImplemented("an aggregation without a collection");
    const name = collectionName(call);
    const pipeline = call.body.get("pipeline");
    if (pipeline === undefined) {
      throw new CommandError(40414, "BSON field 'aggregate.pipeline' is missing but a required field");
    }
    if (!Array.isArray(pipeline)) throw wrongType("aggregate.pipeline", pipeline, "array");
    if (!call.body.has("cursor")) {
      throw new CommandError(
        9,
        "The 'cursor' option is required, except for aggregate with the explain argument",
      );
    }
    const batchSize = cursorBatchSize(call);
    const run = parsePipeline(pipeline, pipelineContext(call));
    return openCursor(call, name, run(name, MATCH_ALL), { batchSize });
  },
};

function pipelineContext(call: Call): PipelineContext {
  const { engine, db, checkTime } = call;
  const constants = optionalDoc(call.body, "let", "aggregate") ?? new Map();
  for (const value of constants.values()) {
    if (value instanceof Map || (typeof value === "string" && value.startsWith("$"))) {
      throw notImplemented("an expression in 'let' of aggregate");
    }
  }
  // One moment for the whole pipeline.
  const startedAt = engine.now();
  const query = (name: string, source: Source) => {
    const collection = engine.find(db, name);
    const hint = name === call.body.get("aggregate") ? call.body.get("hint") : undefined;
    return collection && { collection, ...source, hint, checkTime };
  };
  return {
    context: withVariables(
      parseContext(() => startedAt),
      constants.keys(),
    ),
    variables: () => constants,
    parsePipeline,
    count: (name, source) => {
      const found = query(name, source);
      return found === undefined ? 0 : countDocuments(engine.file, found);
    },
    read: (name, source, select) => documents(call, query(name, source), select),
  };
}

function* documents(
  call: Call,
  query: Parameters<typeof findDocuments>[1] | undefined,
  select: FieldSelector,
): Generator<Doc, void> {
  if (query === undefined) return;
  for (const { bytes } of findDocuments(call.engine.file, query)) yield select(bytes);
}
