import { KeyWriter } from "../bson/key.ts";
import { shellText } from "../bson/shell-text.ts";
import type { Doc, Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { encodeIndexKey, indexValues } from "./index-keys.ts";
import type { Collection, Index } from "./schema.ts";

/** MongoDB's E11000, with the pattern and the values of the key that exists already. */
export function duplicateKey(collection: Collection, index: Index, document: Doc, key: Buffer): CommandError {
  const writer = new KeyWriter();
  const rows = indexValues(document, index.fields).values;
  const values = rows.find((row) => encodeIndexKey(row, index.fields, writer).equals(key)) ?? rows[0] ?? [];
  const keyValue: Doc = new Map();
  const texts: string[] = [];
  for (let at = 0; at < index.fields.length; at++) {
    const path = (index.fields[at] as { path: string }).path;
    const value = (values[at] ?? null) as Value;
    keyValue.set(path, value);
    texts.push(`${path}: ${shellText(value)}`);
  }
  return new CommandError(
    11000,
    `E11000 duplicate key error collection: ${collection.namespace} index: ${index.name} dup key: { ${texts.join(", ")} }`,
    {
      details: new Map<string, Value>([
        ["keyPattern", index.spec.get("key") as Doc],
        ["keyValue", keyValue],
      ]),
    },
  );
}
