import { BinaryValue, type Doc, doc, int, type Value } from "../bson/values.ts";
import { notImplemented } from "../errors.ts";
import { matches } from "../query/matches.ts";
import { parseFilter } from "../query/parse-filter.ts";
import type { Collection } from "../storage/schema.ts";
import { type Call, type Command, collectionName, isTruthy, optionalCount, optionalDoc } from "./command.ts";
import { openCursor } from "./cursor-reply.ts";

export const create: Command = {
  writes: true,
  fields: ["idIndex"],
  refused: [
    "capped",
    "size",
    "max",
    "storageEngine",
    "validator",
    "validationLevel",
    "validationAction",
    "viewOn",
    "pipeline",
    "collation",
    "timeseries",
    "clusteredIndex",
    "expireAfterSeconds",
    "changeStreamPreAndPostImages",
    "indexOptionDefaults",
    "encryptedFields",
    "autoIndexId",
  ],
  run: (call) => {
    const name = collectionName(call);
    // With the same options, and there are none here, what exists already is no error.
    if (call.engine.find(call.db, name) !== undefined) return new Map();
    call.engine.catalog.create(call.db, name, new Map());
    return new Map();
  },
};

export const drop: Command = {
  writes: true,
  fields: [],
  run: (call) => {
    const collection = call.engine.find(call.db, collectionName(call));
    if (collection === undefined) {
      // Since MongoDB 7.0 dropping what does not exist succeeds.
      return new Map();
    }
    const indexes = collection.indexes.length;
    dropCollection(call, collection);
    return doc({ nIndexesWas: int(indexes), ns: collection.namespace });
  },
};

export const dropDatabase: Command = {
  writes: true,
  fields: [],
  run: (call) => {
    const collections = call.engine.catalog.list(call.db);
    for (const collection of collections) dropCollection(call, collection);
    return new Map();
  },
};

function dropCollection(call: Call, collection: Collection): void {
  call.engine.transactions.abortAll();
  call.engine.cursors.dropWhere((cursor) => cursor.namespace === collection.namespace);
  call.engine.catalog.drop(collection);
}

export const listCollections: Command = {
  fields: ["filter", "nameOnly", "cursor", "authorizedCollections"],
  run: (call) => {
    const filter = parseFilter(
      optionalDoc(call.body, "filter", "listCollections") ?? new Map(),
      call.engine.parseExpression,
    );
    const nameOnly = isTruthy(call.body.get("nameOnly"));
    const found = call.engine.catalog.list(call.db).map((collection) => describe(collection, nameOnly));
    return openCursor(
      call,
      "$cmd.listCollections",
      found.filter((entry) => matches(filter, entry)),
      { batchSize: cursorBatchSize(call) },
    );
  },
};

export function cursorBatchSize(call: Call): number {
  const cursor = optionalDoc(call.body, "cursor", call.name);
  if (cursor === undefined) return 101;
  for (const field of cursor.keys())
    if (field !== "batchSize") throw notImplemented(`the cursor option '${field}'`);
  return optionalCount(cursor, "batchSize", `${call.name}.cursor`) ?? 101;
}

function describe(collection: Collection, nameOnly: boolean): Doc {
  const entry = doc({ name: collection.name, type: "collection" });
  if (nameOnly) return entry;
  entry.set("options", collection.options);
  entry.set("info", doc({ readOnly: false, uuid: new BinaryValue(4, collection.uuid) }));
  const idIndex = collection.indexes[0]?.spec;
  if (idIndex !== undefined) entry.set("idIndex", idIndex as Value);
  return entry;
}
