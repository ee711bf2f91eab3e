import { RawDoc } from "../bson/values.ts";
import { findDocuments } from "../query/find-documents.ts";
import { parseFilter } from "../query/parse-filter.ts";
import { type Projection, parseProjection } from "../query/projection.ts";
import { parseSort } from "../query/sort.ts";
import type { StoredDoc } from "../storage/schema.ts";
import { type Command, collectionName, isTruthy, optionalCount, optionalDoc } from "./command.ts";
import { DEFAULT_FIRST_BATCH, openCursor } from "./cursor-reply.ts";

export const find: Command = {
  inTransaction: true,
  fields: ["filter", "sort", "projection", "skip", "limit", "batchSize", "singleBatch"],
  run: (call) => {
    const { body, engine, now } = call;
    const name = collectionName(call);
    const filter = parseFilter(optionalDoc(call, "filter") ?? new Map(), now);
    const sort = parseSort(optionalDoc(call, "sort") ?? new Map());
    const projection = optionalDoc(call, "projection");
    const project = projection && parseProjection(projection, now);
    const skip = optionalCount(body, "skip", "find");
    const limit = optionalCount(body, "limit", "find");
    const batchSize = optionalCount(body, "batchSize", "find") ?? DEFAULT_FIRST_BATCH;
    const single = isTruthy(body.get("singleBatch"));
    const collection = engine.find(call.db, name);
    const found = collection && findDocuments(engine.file, { collection, filter, sort, skip, limit });
    return openCursor(call, name, results(found ?? [], project), { batchSize, single });
  },
};

function* results(found: Iterable<StoredDoc>, project: Projection | undefined): Generator<RawDoc, void> {
  for (const { bytes } of found) yield project === undefined ? new RawDoc(bytes) : project(bytes);
}
