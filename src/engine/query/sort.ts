import { fieldSelector } from "../bson/decode.ts";
import { KeyWriter } from "../bson/key.ts";
import { toDouble } from "../bson/numbers.ts";
import { shellText } from "../bson/shell-text.ts";
import { type Doc, isNumeric } from "../bson/values.ts";
import { CommandError, notImplemented } from "../errors.ts";
import { indexEntries, type KeyField } from "../storage/index-keys.ts";
import type { StoredDoc } from "../storage/schema.ts";
import { isIndex } from "./matches.ts";

/** As in MongoDB: memory limit of a sort without an index. */
const MAX_SORT_BYTES = 100 * 1024 * 1024;

/** Parses `{ field: 1 | -1, ... }`. */
export function parseSort(sort: Doc): KeyField[] {
  return [...sort].map(([path, direction]) => {
    if (!isNumeric(direction)) {
      throw new CommandError(15974, `Illegal key in $sort specification: ${path}: ${shellText(direction)}`);
    }
    const value = toDouble(direction);
    if (Math.abs(value) !== 1) {
      throw new CommandError(15975, "$sort key ordering must be 1 (for ascending) or -1 (for descending)");
    }
    const parts = path.split(".");
    if (parts.some(isIndex)) throw notImplemented("an order by a position in an array");
    return { path, parts, descending: value < 0 };
  });
}

/** Sorts documents without an index. @param keep number of first documents to return; Infinity: all */
export function* sortInMemory(
  found: Iterable<StoredDoc>,
  sort: readonly KeyField[],
  keep: number,
): Generator<StoredDoc, void> {
  const select = fieldSelector(sort.map((field) => field.parts[0] as string));
  const writer = new KeyWriter();
  let rows: { key: Buffer; stored: StoredDoc }[] = [];
  let bytes = 0;
  for (const stored of found) {
    rows.push({ key: sortKey(select(stored.bytes), sort, writer), stored });
    bytes += stored.bytes.length;
    if (rows.length >= keep * 2 + 100) {
      rows = inOrder(rows).slice(0, keep);
      bytes = rows.reduce((sum, row) => sum + row.stored.bytes.length, 0);
    }
    if (bytes > MAX_SORT_BYTES) {
      throw new CommandError(
        292,
        `Executor error during find command :: caused by :: Sort exceeded memory limit of ${MAX_SORT_BYTES} bytes, but did not opt in to external sorting.`,
      );
    }
  }
  for (const { stored } of inOrder(rows)) yield stored;
}

function inOrder(rows: { key: Buffer; stored: StoredDoc }[]) {
  return rows.sort((a, b) => a.key.compare(b.key));
}

/** The least key that an index on the fields of the sort would have for the document. */
function sortKey(document: Doc, sort: readonly KeyField[], writer: KeyWriter): Buffer {
  const { keys } = indexEntries(document, sort, writer);
  return keys.reduce((least, key) => (key.compare(least) < 0 ? key : least));
}
