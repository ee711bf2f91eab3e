import {
  decodeDocument,
  decodeValue,
  documentEnd,
  eachElement,
  invalidBson,
  rawDocuments,
  readInt32,
} from "../bson/decode.ts";
import { encodeDocument } from "../bson/encode.ts";
import { type Doc, RawDoc, TYPE, type Value } from "../bson/values.ts";

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const HEADER = 16;
const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
/** Bits 0-15 must be supported or the message refused; later bits may be ignored. */
const UNKNOWN_REQUIRED_FLAGS = 0xfffc;

export const MAX_MESSAGE_BYTES = 48_000_000;
/** As in MongoDB: space for the command around a document of maximum size. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** One received command. */
export interface Request {
  requestId: number;
  /** The client wants no reply (writeConcern w: 0). */
  silent: boolean;
  /** Only a handshake uses OP_QUERY; it is answered with OP_REPLY. */
  legacy: boolean;
  /** Documents of an insert (`documents`, and those of `ops`) stay encoded, because decoding so many would be wasted. */
  command: Doc;
}

/** Length of the message, or undefined while fewer than four bytes are there. Throws for a bad length. */
export function messageLength(bytes: Buffer): number | undefined {
  if (bytes.length < 4) return undefined;
  const length = readInt32(bytes, 0);
  if (length < HEADER || length > MAX_MESSAGE_BYTES) throw invalidBson("wrong message length");
  return length;
}

/** Parses one whole message. Throws when it is not a message of the wire protocol. */
export function parseMessage(bytes: Buffer): Request {
  const requestId = readInt32(bytes, 4);
  const opCode = readInt32(bytes, 12);
  if (opCode === OP_MSG) return parseOpMsg(bytes, requestId);
  if (opCode === OP_QUERY) return parseOpQuery(bytes, requestId);
  throw invalidBson(`unsupported operation ${opCode}`);
}

function parseOpMsg(bytes: Buffer, requestId: number): Request {
  const flags = bytes.readUInt32LE(HEADER);
  if ((flags & UNKNOWN_REQUIRED_FLAGS) !== 0) throw invalidBson("unknown message flags");
  const end = bytes.length - ((flags & CHECKSUM_PRESENT) !== 0 ? 4 : 0);
  let command: Doc | undefined;
  const sequences: [string, Value[]][] = [];
  let at = HEADER + 4;
  while (at < end) {
    const kind = bytes[at++];
    if (kind === 0) {
      const stop = documentEnd(bytes, at);
      command = parseBody(bytes, at);
      at = stop;
    } else if (kind === 1) {
      const stop = at + readInt32(bytes, at);
      if (stop > end || stop <= at) throw invalidBson("wrong section length");
      sequences.push(parseSequence(bytes, at + 4, stop));
      at = stop;
    } else {
      throw invalidBson("unknown section kind");
    }
  }
  if (command === undefined) throw invalidBson("message without a command");
  for (const [name, items] of sequences) command.set(name, items);
  return { requestId, silent: (flags & MORE_TO_COME) !== 0, legacy: false, command };
}

function parseSequence(bytes: Buffer, start: number, stop: number): [string, Value[]] {
  const nameStop = bytes.indexOf(0, start);
  if (nameStop < 0 || nameStop >= stop) throw invalidBson("wrong section name");
  const name = bytes.toString("latin1", start, nameStop);
  const items: Value[] = [];
  let at = nameStop + 1;
  while (at < stop) {
    const next = documentEnd(bytes, at);
    items.push(parseItem(bytes, name, at, next));
    at = next;
  }
  if (at !== stop) throw invalidBson("wrong section length");
  return [name, items];
}

function parseItem(bytes: Buffer, sequence: string, at: number, next: number): Value {
  if (sequence === "documents") return new RawDoc(bytes.subarray(at, next));
  return sequence === "ops" ? parseOp(bytes, at) : decodeDocument(bytes, at);
}

/** One operation of `bulkWrite`. */
function parseOp(bytes: Buffer, start: number): Doc {
  const op: Doc = new Map();
  eachElement(bytes, start, (type, nameStart, nameStop, at, limit) => {
    const name = bytes.toString("utf8", nameStart, nameStop);
    const isRaw = name === "document" && type === TYPE.object;
    op.set(name, isRaw ? new RawDoc(bytes.subarray(at, limit)) : decodeValue(bytes, type, at, limit, 0));
  });
  return op;
}

function parseBody(bytes: Buffer, start: number): Doc {
  const command: Doc = new Map();
  eachElement(bytes, start, (type, nameStart, nameStop, at, limit) => {
    const name = bytes.toString("utf8", nameStart, nameStop);
    const isRaw = name === "documents" && type === TYPE.array;
    command.set(name, isRaw ? rawDocuments(bytes, at) : decodeValue(bytes, type, at, limit, 0));
  });
  return command;
}

function parseOpQuery(bytes: Buffer, requestId: number): Request {
  const nameStop = bytes.indexOf(0, HEADER + 4);
  if (nameStop < 0) throw invalidBson("wrong collection name");
  const command = decodeDocument(bytes, nameStop + 9);
  const [db = ""] = bytes.toString("utf8", HEADER + 4, nameStop).split(".$cmd");
  command.set("$db", db);
  return { requestId, silent: false, legacy: true, command };
}

/** The bytes of a reply. */
export function encodeReply(request: Request, reply: Doc, replyId: number): Buffer {
  const body = encodeDocument(reply);
  const prefix = request.legacy ? HEADER + 20 : HEADER + 5;
  const bytes = Buffer.allocUnsafe(prefix + body.length);
  bytes.writeInt32LE(bytes.length, 0);
  bytes.writeInt32LE(replyId, 4);
  bytes.writeInt32LE(request.requestId, 8);
  bytes.writeInt32LE(request.legacy ? OP_REPLY : OP_MSG, 12);
  bytes.fill(0, HEADER, prefix);
  if (request.legacy) {
    bytes.writeInt32LE(8, HEADER);
    bytes.writeInt32LE(1, HEADER + 16);
  }
  body.copy(bytes, prefix);
  return bytes;
}
