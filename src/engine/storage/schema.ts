import { type FieldSelector, fieldSelector } from "../bson/decode.ts";
import { toDouble } from "../bson/numbers.ts";
import { type Doc, doc, int, isNumeric } from "../bson/values.ts";
import { type Filter, fieldsOf } from "../query/filter.ts";
import { parseFilter } from "../query/parse-filter.ts";
import type { KeyField } from "./index-keys.ts";

/** An index in memory; its entries are the rows of table `i<id>` (those of `_id_` are stored with the documents). */
export interface Index {
  readonly id: number;
  readonly name: string;
  /** In the form of `listIndexes`: v, key, name and the options. */
  readonly spec: Doc;
  readonly fields: readonly KeyField[];
  readonly isId: boolean;
  readonly unique: boolean;
  readonly partial: Filter | undefined;
  readonly expireAfterSeconds: number | undefined;
  /** Top-level fields that decide a document's entries. */
  readonly roots: ReadonlySet<string>;
  /** True after a document had an array here. Never becomes false again. */
  multikey: boolean;
}

export interface Collection {
  readonly id: number;
  readonly db: string;
  readonly name: string;
  /** `db.name`, as in error messages. */
  readonly namespace: string;
  /** `_id_` first. */
  indexes: readonly Index[];
  /** Decodes the fields that any index needs. */
  selectIndexed: FieldSelector;
  /** Row ids grow and are never reused: they are the natural order. */
  nextRow: number;
}

/** A stored document. */
export interface StoredDoc {
  row: number;
  idKey: Buffer;
  bytes: Buffer;
}

export function idIndex(): Index {
  const spec = doc({ v: int(2), key: doc({ _id: int(1) }), name: "_id_" });
  return { ...indexFromSpec(0, spec, false), isId: true, unique: true };
}

export function indexFromSpec(id: number, spec: Doc, multikey: boolean): Index {
  const fields = [...(spec.get("key") as Doc)].map(([path, direction]): KeyField => {
    const descending = isNumeric(direction) && toDouble(direction) < 0;
    return { path, parts: path.split("."), descending };
  });
  const condition = spec.get("partialFilterExpression");
  const partial = condition instanceof Map ? parsePartial(condition) : undefined;
  const expire = spec.get("expireAfterSeconds");
  const roots = new Set(fields.map((field) => field.parts[0] as string));
  if (partial !== undefined) fieldsOf(partial, roots);
  return {
    id,
    name: spec.get("name") as string,
    spec,
    fields,
    isId: false,
    unique: spec.get("unique") === true,
    partial,
    expireAfterSeconds: isNumeric(expire) ? toDouble(expire) : undefined,
    roots,
    multikey,
  };
}

/** The condition of a partial index, which must not depend on the time. */
export function parsePartial(condition: Doc): Filter {
  return parseFilter(condition, () => Number.NaN);
}

/** Sets the indexes of a collection, and the list of fields to decode on insert. */
export function setIndexes(collection: Collection, indexes: readonly Index[]): void {
  collection.indexes = indexes;
  const roots = indexes.flatMap((index) => (index.isId ? [] : [...index.roots]));
  collection.selectIndexed = fieldSelector(new Set(roots));
}
