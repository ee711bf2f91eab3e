// Body, search entries and message are one ordered command (MongoDB 8 and the embedded engine): one commit instead of
// two, and never a message without its body.

import { BSON, type Document } from "mongodb";
import type { OrderedWrite } from "./ordered-write.ts";

/**
 * Header of a wire protocol message: its length, two numbers that pair messages and replies, and its kind, each an
 * int32.
 */
const HEADER_BYTES = 16;
const OP_MSG = 2013;
/** Flags, all zero. */
const FLAG_BYTES = 4;
const BODY = 0;
const SEQUENCE = 1;

const COMMAND = BSON.serialize({ bulkWrite: 1, errorsOnly: true, ordered: true, $db: "admin" });

/**
 * The command `bulkWrite` (MongoDB 8) as a wire protocol message (OP_MSG), in a buffer of its own. Writes are
 * executed in order until one fails.
 */
export function bulkWriteMessage(database: string, writes: readonly OrderedWrite[]): Uint8Array<ArrayBuffer> {
  const collections = [...new Set(writes.map(({ collection }) => collection))];
  const positions = new Map(collections.map((collection, position) => [collection, position]));
  const ops = writes.map((write) => BSON.serialize(operation(write, positions), { ignoreUndefined: true }));
  const namespaces = collections.map((collection) => BSON.serialize({ ns: `${database}.${collection}` }));
  return message([Buffer.from([BODY]), COMMAND, ...sequence("ops", ops), ...sequence("nsInfo", namespaces)]);
}

/** The document of a reply (OP_MSG). */
export function readReply(reply: Uint8Array): Document {
  return BSON.deserialize(reply.subarray(HEADER_BYTES + FLAG_BYTES + 1));
}

function operation(write: OrderedWrite, positions: ReadonlyMap<string, number>): Document {
  const position = positions.get(write.collection);
  if ("document" in write) return { insert: position, document: write.document };
  return { update: position, filter: write.filter, updateMods: write.update, multi: false };
}

/** A section with a named list of documents. */
function sequence(name: string, documents: readonly Uint8Array[]): Uint8Array[] {
  const head = Buffer.from(`\0\0\0\0\0${name}\0`, "latin1");
  head.writeUInt8(SEQUENCE);
  // The length includes itself but not the preceding byte.
  head.writeInt32LE(head.length - 1 + lengthOf(documents), 1);
  return [head, ...documents];
}

function message(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const start = HEADER_BYTES + FLAG_BYTES;
  const bytes = Buffer.allocUnsafeSlow(start + lengthOf(parts));
  bytes.fill(0, 0, start);
  bytes.writeInt32LE(bytes.length, 0);
  bytes.writeInt32LE(OP_MSG, HEADER_BYTES - 4);
  let at = start;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}
