import { doc, int } from "../bson/values.ts";
import { matches } from "../query/matches.ts";
import { parseFilter } from "../query/parse-filter.ts";
import type { Collection } from "../storage/schema.ts";
import { type Call, type Command, collectionName, optionalDoc } from "./command.ts";
import { cursorBatchSize, openCursor } from "./cursor-reply.ts";

export const drop: Command = {
  writes: true,
  fields: [],
  run: (call) => {
    const collection = call.engine.find(call.db, collectionName(call));
    // Since MongoDB 7.0, dropping a missing collection succeeds.
    if (collection === undefined) return new Map();
    const indexes = collection.indexes.length;
    dropCollection(call, collection);
    return doc({ nIndexesWas: int(indexes), ns: collection.namespace });
  },
};

export const dropDatabase: Command = {
  writes: true,
  fields: [],
  run: (call) => {
    for (const collection of call.engine.catalog.list(call.db)) dropCollection(call, collection);
    return new Map();
  },
};

function dropCollection(call: Call, collection: Collection): void {
  call.engine.transactions.abortAll();
  call.engine.cursors.dropWhere((cursor) => cursor.namespace === collection.namespace);
  call.engine.catalog.drop(collection);
}

/** Only the names. */
export const listCollections: Command = {
  fields: ["filter", "cursor", "nameOnly", "authorizedCollections"],
  run: (call) => {
    const filter = parseFilter(optionalDoc(call, "filter") ?? new Map(), call.now);
    const found = call.engine.catalog
      .list(call.db)
      .map(({ name }) => doc({ name, type: "collection" }))
      .filter((entry) => matches(filter, entry));
    return openCursor(call, "$cmd.listCollections", found, { batchSize: cursorBatchSize(call) });
  },
};
