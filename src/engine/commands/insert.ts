import { decodeValue, eachElement } from "../bson/decode.ts";
import { encodeDocument } from "../bson/encode.ts";
import { encodeKey } from "../bson/key.ts";
import { type Doc, doc, int, type RawDoc, type Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { MAX_DOCUMENT_BYTES } from "../server/wire.ts";
import type { Collection } from "../storage/schema.ts";
import { type Call, type Command, collectionName } from "./command.ts";
import { batchOf, runStatements } from "./statements.ts";

export const insert: Command = {
  writes: true,
  inTransaction: true,
  fields: ["documents", "ordered"],
  run: (call) => {
    const name = collectionName(call);
    const documents = batchOf(call, "documents") as RawDoc[];
    const collection = call.engine.collection(call.db, name);
    let inserted = 0;
    const writeErrors = runStatements(call, documents, (document) => {
      insertOne(call, collection, document.bytes);
      inserted++;
    });
    return doc({ n: int(inserted), writeErrors });
  },
};

/** Inserts one document. Throws BadValue for one that is too large, DuplicateKey, and the errors of `idKey`. */
export function insertOne(call: Call, collection: Collection, given: Buffer): void {
  if (given.length > MAX_DOCUMENT_BYTES) {
    throw new CommandError(
      2,
      `object to insert too large. size in bytes: ${given.length}, max size: ${MAX_DOCUMENT_BYTES}`,
    );
  }
  const { bytes, id } = withIdFirst(given, call);
  call.engine.rows.insert(collection, idKey(id), bytes, withId(collection.selectIndexed(bytes), id));
}

function withId(indexed: Doc, id: Value): Doc {
  if (!indexed.has("_id")) indexed.set("_id", id);
  return indexed;
}

/** The key of an _id. Throws InvalidIdField or DollarPrefixedFieldName for an invalid one. */
export function idKey(id: Value): Buffer {
  if (Array.isArray(id)) throw new CommandError(53, "The '_id' value cannot be of type array");
  const dollar = id instanceof Map ? [...id.keys()].find((field) => field.startsWith("$")) : undefined;
  if (dollar === undefined) return encodeKey(id);
  throw new CommandError(
    52,
    `_id fields may not contain '$'-prefixed fields: ${dollar} is not valid for storage.`,
  );
}

/** MongoDB stores _id as the first field, wherever the client put it, and creates one if it is missing. */
function withIdFirst(bytes: Buffer, call: Call): { bytes: Buffer; id: Value } {
  let at = -1;
  let end = -1;
  let id: Value | undefined;
  eachElement(bytes, 0, (type, nameStart, nameStop, start, limit) => {
    if (at >= 0 || nameStop - nameStart !== 3) return;
    if (bytes[nameStart] !== 0x5f || bytes[nameStart + 1] !== 0x69 || bytes[nameStart + 2] !== 0x64) return;
    at = nameStart - 1;
    end = limit;
    id = decodeValue(bytes, type, start, limit, 0);
  });
  if (id !== undefined && at === 4) return { bytes, id };
  const newId = id ?? call.engine.newObjectId();
  const element =
    id === undefined ? encodeDocument(doc({ _id: newId })).subarray(4, -1) : bytes.subarray(at, end);
  const rest = id === undefined ? [bytes.subarray(4)] : [bytes.subarray(4, at), bytes.subarray(end)];
  const moved = Buffer.concat([bytes.subarray(0, 4), element, ...rest]);
  moved.writeInt32LE(moved.length, 0);
  return { bytes: moved, id: newId };
}
