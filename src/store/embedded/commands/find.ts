import type { Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { findDocuments } from "../query/find-documents.ts";
import { parseFilter } from "../query/parse-filter.ts";
import { parseStoredProjection } from "../query/projection.ts";
import { parseSort } from "../query/sort.ts";
import type { StoredDoc } from "../storage/rows.ts";
import { type Command, collectionName, isTruthy, optionalCount, optionalDoc } from "./command.ts";
import { openCursor } from "./cursor-reply.ts";

/** What MongoDB puts into the first reply when the client does not say. */
export const DEFAULT_FIRST_BATCH = 101;

export const find: Command = {
  inTransaction: true,
  fields: [
    "filter",
    "sort",
    "projection",
    "hint",
    "skip",
    "limit",
    "batchSize",
    "singleBatch",
    "allowDiskUse",
    "noCursorTimeout",
    "allowPartialResults",
    "oplogReplay",
  ],
  refused: [
    "tailable",
    "awaitData",
    "max",
    "min",
    "returnKey",
    "showRecordId",
    "collation",
    "let",
    "readOnce",
  ],
  run: (call) => {
    const { body, engine } = call;
    const name = collectionName(call);
    const filter = parseFilter(optionalDoc(body, "filter", "find") ?? new Map(), engine.parseExpression);
    const sort = parseSort(optionalDoc(body, "sort", "find") ?? new Map());
    const project = parseStoredProjection(optionalDoc(body, "projection", "find"), engine.parseExpression);
    const skip = optionalCount(body, "skip", "find");
    const limit = optionalCount(body, "limit", "find");
    const batchSize = optionalCount(body, "batchSize", "find");
    if (isTruthy(body.get("singleBatch")) && batchSize === 0 && limit === undefined) {
      throw new CommandError(9, "singleBatch needs a batchSize");
    }
    const collection = engine.find(call.db, name);
    const found =
      collection === undefined
        ? []
        : findDocuments(engine.file, {
            collection,
            filter,
            sort,
            skip,
            limit,
            hint: body.get("hint"),
            checkTime: call.checkTime,
          });
    return openCursor(call, name, results(found, project), {
      batchSize: batchSize ?? DEFAULT_FIRST_BATCH,
      single: isTruthy(body.get("singleBatch")),
    });
  },
};

function* results(found: Iterable<StoredDoc>, project: (bytes: Buffer) => Value): Generator<Value, void> {
  for (const { bytes } of found) yield project(bytes);
}
