import { compareValues } from "../bson/compare.ts";
import { identity } from "../bson/key.ts";
import { fieldSelector } from "../bson/select.ts";
import { doc, type Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { findDocuments } from "../query/find-documents.ts";
import { isIndex } from "../query/matches.ts";
import { parseFilter } from "../query/parse-filter.ts";
import { type Command, collectionName, optionalDoc, wrongType } from "./command.ts";

export const distinct: Command = {
  inTransaction: true,
  fields: ["key", "query", "hint"],
  refused: ["collation"],
  run: (call) => {
    const { body, engine } = call;
    const name = collectionName(call);
    const path = body.get("key");
    if (typeof path !== "string") throw wrongType("distinct.key", path, "string");
    if (path.includes("\0")) throw new CommandError(31032, "Key field cannot contain an embedded null byte");
    const filter = parseFilter(optionalDoc(body, "query", "distinct") ?? new Map(), engine.parseExpression);
    const collection = engine.find(call.db, name);
    const found = new Map<string, Value>();
    if (collection !== undefined) {
      const parts = path.split(".");
      const select = fieldSelector([parts[0] as string]);
      for (const { bytes } of findDocuments(engine.file, {
        collection,
        filter,
        hint: body.get("hint"),
        checkTime: call.checkTime,
      })) {
        collect(select(bytes), parts, 0, (value) => {
          const key = identity(value);
          if (!found.has(key)) found.set(key, value);
        });
      }
    }
    return doc({ values: [...found.values()].sort(compareValues) });
  },
};

/** The values at a path; those of an array one by one. */
function collect(
  value: Value | undefined,
  parts: readonly string[],
  at: number,
  add: (value: Value) => void,
): void {
  if (value === undefined) return;
  if (at === parts.length) {
    if (Array.isArray(value)) for (const item of value) add(item);
    else add(value);
    return;
  }
  const part = parts[at] as string;
  if (value instanceof Map) collect(value.get(part), parts, at + 1, add);
  else if (Array.isArray(value)) {
    if (isIndex(part)) collect(value[Number(part)], parts, at + 1, add);
    for (const item of value) if (item instanceof Map) collect(item, parts, at, add);
  }
}
