import type { KeyWriter } from "../bson/key.ts";
import { type Doc, UNDEFINED, type Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";

export interface KeyField {
  path: string;
  parts: readonly string[];
  descending: boolean;
}

/** One entry of a document in an index: the value of each field, and whether an array was expanded for it. */
export interface IndexEntries {
  keys: Buffer[];
  multikey: boolean;
}

/** The keys of a document in an index, each once. A missing field is indexed as null. */
export function indexEntries(document: Doc, fields: readonly KeyField[], writer: KeyWriter): IndexEntries {
  if (fields.length === 1) return singleField(document, fields[0] as KeyField, writer);
  const rows = indexValues(document, fields);
  const keys = rows.values.map((values) => encodeIndexKey(values, fields, writer));
  return { keys: rows.multikey ? unique(keys) : keys, multikey: rows.multikey };
}

function singleField(document: Doc, field: KeyField, writer: KeyWriter): IndexEntries {
  const found = valuesAt(document, field.parts, 0);
  const keys = found.values.map((value) => writer.value(value, field.descending).take());
  return { keys: found.multikey ? unique(keys) : keys, multikey: found.multikey };
}

export function encodeIndexKey(
  values: readonly Value[],
  fields: readonly KeyField[],
  writer: KeyWriter,
): Buffer {
  for (let at = 0; at < fields.length; at++) {
    writer.value(values[at] as Value, (fields[at] as KeyField).descending);
  }
  return writer.take();
}

/** The same before encoding: one row of values per entry. */
export function indexValues(
  document: Doc,
  fields: readonly KeyField[],
): { values: Value[][]; multikey: boolean } {
  let rows: Value[][] = [[]];
  let arrayRoot: string | undefined;
  for (const field of fields) {
    const found = valuesAt(document, field.parts, 0);
    if (found.multikey) {
      const root = field.parts[0] as string;
      if (arrayRoot === undefined || !Array.isArray(document.get(root))) arrayRoot ??= root;
      else if (arrayRoot !== root) throw parallelArrays(root, arrayRoot);
    }
    rows =
      found.values.length === 1
        ? rows.map((row) => [...row, found.values[0] as Value])
        : rows.flatMap((row) => found.values.map((value) => [...row, value]));
  }
  if (arrayRoot !== undefined) rows = alignedRows(document, fields, arrayRoot) ?? rows;
  return { values: rows, multikey: arrayRoot !== undefined };
}

function parallelArrays(a: string, b: string): CommandError {
  return new CommandError(171, `cannot index parallel arrays [${a}] [${b}]`);
}

/**
 * Several fields below one array of documents (a.b, a.c) take their values from the same element: rows are created per element,
 * not as all combinations.
 */
function alignedRows(document: Doc, fields: readonly KeyField[], root: string): Value[][] | undefined {
  const array = document.get(root);
  if (!Array.isArray(array) || fields.filter((field) => field.parts[0] === root).length < 2) return undefined;
  if (array.length === 0) return undefined;
  return array.flatMap((item) => {
    const single: Doc = new Map(document);
    single.set(root, item);
    const whole = fields.some((field) => field.parts.length === 1 && field.path === root);
    if (Array.isArray(item) && !whole) single.set(root, null);
    return indexValues(single, fields).values;
  });
}

function valuesAt(
  value: Value | undefined,
  parts: readonly string[],
  at: number,
): { values: Value[]; multikey: boolean } {
  if (at === parts.length) {
    if (!Array.isArray(value)) return { values: [value ?? null], multikey: false };
    return { values: value.length === 0 ? [UNDEFINED] : value, multikey: true };
  }
  if (value instanceof Map) return valuesAt(value.get(parts[at] as string), parts, at + 1);
  if (!Array.isArray(value)) return { values: [null], multikey: false };
  if (value.length === 0) return { values: [null], multikey: true };
  const values = value.flatMap((item) => (item instanceof Map ? valuesAt(item, parts, at).values : [null]));
  return { values, multikey: true };
}

function unique(keys: Buffer[]): Buffer[] {
  if (keys.length < 2) return keys;
  const seen = new Set<string>();
  return keys.filter((key) => {
    const text = key.toString("latin1");
    return !seen.has(text) && seen.add(text);
  });
}
