import { KeyWriter } from "../bson/key.ts";
import { shellText } from "../bson/shell-text.ts";
import { type Doc, doc } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { encodeIndexKey, indexValues } from "./index-keys.ts";
import type { Collection, Index } from "./schema.ts";

/** MongoDB's E11000, with the pattern and the values of the key that exists already. */
export function duplicateKey(collection: Collection, index: Index, document: Doc, key: Buffer): CommandError {
  const writer = new KeyWriter();
  const rows = indexValues(document, index.fields).values;
  const values = rows.find((row) => encodeIndexKey(row, index.fields, writer).equals(key)) ?? rows[0] ?? [];
  const keyValue: Doc = new Map(index.fields.map(({ path }, at) => [path, values[at] ?? null]));
  return new CommandError(
    11000,
    `E11000 duplicate key error collection: ${collection.namespace} index: ${index.name} dup key: ${shellText(keyValue)}`,
    { details: doc({ keyPattern: index.spec.get("key"), keyValue }) },
  );
}
