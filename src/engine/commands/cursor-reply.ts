import { encodeDocument } from "../bson/encode.ts";
import { type Doc, doc, RawDoc, type Value } from "../bson/values.ts";
import type { Cursor } from "../cursors.ts";
import { MAX_DOCUMENT_BYTES } from "../server/wire.ts";
import { type Call, optionalCount, optionalDoc, unknownField } from "./command.ts";

/** MongoDB's default size of the first reply. */
export const DEFAULT_FIRST_BATCH = 101;

/** The batch size in the `cursor` field of a command. */
export function cursorBatchSize(call: Call): number {
  const cursor = optionalDoc(call, "cursor") ?? new Map();
  for (const field of cursor.keys()) {
    if (field !== "batchSize") throw unknownField("cursor", field);
  }
  return optionalCount(cursor, "batchSize", `${call.name}.cursor`) ?? DEFAULT_FIRST_BATCH;
}

/** Replies with the first results; a cursor keeps the rest. */
export function openCursor(
  call: Call,
  collection: string,
  results: Iterable<Doc | RawDoc>,
  options: { batchSize: number; single?: boolean },
): Doc {
  const namespace = `${call.db}.${collection}`;
  const cursor = call.engine.cursors.create(namespace, call.session, call.transaction?.number, results);
  const firstBatch = options.batchSize === 0 ? [] : takeBatch(cursor, options.batchSize);
  const done = options.single === true || (options.batchSize !== 0 && cursor.isDone());
  if (!done) call.engine.cursors.keep(cursor);
  return doc({ cursor: doc({ firstBatch, id: done ? 0n : cursor.id, ns: namespace }) });
}

/** Up to `size` results, and at most the bytes of one document of maximum size (but at least one result). */
export function takeBatch(cursor: Cursor, size: number): Value[] {
  const batch: Value[] = [];
  let bytes = 0;
  while (batch.length < size) {
    const value = cursor.peek();
    if (value === undefined) break;
    const encoded = value instanceof RawDoc ? value : new RawDoc(encodeDocument(value));
    bytes += encoded.bytes.length + 16;
    if (batch.length > 0 && bytes > MAX_DOCUMENT_BYTES) break;
    batch.push(encoded);
    cursor.take();
  }
  return batch;
}
