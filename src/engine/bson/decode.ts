import { CommandError } from "../errors.ts";
import {
  BinaryValue,
  DateTime,
  type Doc,
  Int32,
  ObjectIdValue,
  OpaqueValue,
  RawDoc,
  TYPE,
  typeName,
  type Value,
} from "./values.ts";

/** MongoDB's own limit is 180 levels. */
const MAX_DEPTH = 180;

export function invalidBson(why: string): CommandError {
  return new CommandError(22, `Invalid BSON: ${why}`);
}

export function readInt32(bytes: Buffer, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
}

/** The end of the document that starts at `start`; throws when its length field or terminator is wrong. */
export function documentEnd(bytes: Buffer, start: number): number {
  if (start + 5 > bytes.length) throw invalidBson("truncated document");
  const size = readInt32(bytes, start);
  const end = start + size;
  if (size < 5 || end > bytes.length || bytes[end - 1] !== 0) throw invalidBson("wrong document length");
  return end;
}

export function nameEnd(bytes: Buffer, start: number, limit: number): number {
  // Names are short, so a loop is faster than a native call.
  let end = start;
  while (bytes[end] !== 0) {
    if (++end >= limit) throw invalidBson("unterminated field name");
  }
  return end;
}

/** Length in bytes of a value of BSON type `type` at `at`. */
export function valueLength(bytes: Buffer, type: number, at: number, limit: number): number {
  switch (type) {
    case TYPE.undefined:
    case TYPE.null:
    case TYPE.minKey:
    case TYPE.maxKey:
      return 0;
    case TYPE.bool:
      return 1;
    case TYPE.int:
      return 4;
    case TYPE.double:
    case TYPE.date:
    case TYPE.timestamp:
    case TYPE.long:
      return 8;
    case TYPE.objectId:
      return 12;
    case TYPE.decimal:
      return 16;
    case TYPE.string:
    case TYPE.javascript:
    case TYPE.symbol:
      return 4 + lengthAt(bytes, at, 1, limit);
    case TYPE.binData:
      return 5 + lengthAt(bytes, at, 0, limit);
    case TYPE.object:
    case TYPE.array:
    case TYPE.javascriptWithScope:
      return lengthAt(bytes, at, 5, limit);
    case TYPE.regex:
      return nameEnd(bytes, nameEnd(bytes, at, limit) + 1, limit) + 1 - at;
    default:
      throw invalidBson(`unsupported type 0x${type.toString(16)}`);
  }
}

function lengthAt(bytes: Buffer, at: number, least: number, limit: number): number {
  if (at + 4 > limit) throw invalidBson("truncated value");
  const length = readInt32(bytes, at);
  if (length < least || at + length > limit) throw invalidBson("wrong value length");
  return length;
}

/** Decodes the whole document at `start`. */
export function decodeDocument(bytes: Buffer, start = 0, depth = 0): Doc {
  const result: Doc = new Map();
  eachElement(bytes, start, (type, nameStart, nameStop, at, limit) => {
    result.set(bytes.toString("utf8", nameStart, nameStop), decodeValue(bytes, type, at, limit, depth));
  });
  return result;
}

/** Calls back for each element: type, start and end of its name, start of its value, maximum end of its value. */
export function eachElement(
  bytes: Buffer,
  start: number,
  visit: (type: number, nameStart: number, nameStop: number, at: number, limit: number) => void,
): void {
  const limit = documentEnd(bytes, start) - 1;
  let at = start + 4;
  while (at < limit) {
    const type = bytes[at] as number;
    const nameStop = nameEnd(bytes, at + 1, limit);
    const valueStart = nameStop + 1;
    const next = valueStart + valueLength(bytes, type, valueStart, limit);
    if (next > limit) throw invalidBson("value beyond the end of its document");
    visit(type, at + 1, nameStop, valueStart, next);
    at = next;
  }
}

function decodeArray(bytes: Buffer, start: number, depth: number): Value[] {
  const result: Value[] = [];
  eachElement(bytes, start, (type, _nameStart, _nameStop, at, limit) => {
    result.push(decodeValue(bytes, type, at, limit, depth));
  });
  return result;
}

/** The documents of an insert, not decoded. Throws TypeMismatch for any other element. */
export function rawDocuments(bytes: Buffer, start: number): RawDoc[] {
  const result: RawDoc[] = [];
  eachElement(bytes, start, (type, nameStart, nameStop, at, limit) => {
    if (type !== TYPE.object) {
      const name = bytes.toString("utf8", nameStart, nameStop);
      throw new CommandError(
        14,
        `BSON field 'insert.documents.${name}' is the wrong type '${typeName(new OpaqueValue(type, bytes))}', expected type 'object'`,
      );
    }
    result.push(new RawDoc(bytes.subarray(at, limit)));
  });
  return result;
}

export function decodeValue(bytes: Buffer, type: number, at: number, limit: number, depth: number): Value {
  switch (type) {
    case TYPE.double:
      return bytes.readDoubleLE(at);
    case TYPE.string:
      return bytes.toString("utf8", at + 4, limit - 1);
    case TYPE.object:
      return decodeDocument(bytes, at, deeper(depth));
    case TYPE.array:
      return decodeArray(bytes, at, deeper(depth));
    case TYPE.binData:
      return new BinaryValue(bytes[at + 4] as number, bytes.subarray(at + 5, limit));
    case TYPE.objectId:
      return new ObjectIdValue(bytes.subarray(at, at + 12));
    case TYPE.bool:
      return bytes[at] !== 0;
    case TYPE.date:
      return new DateTime(bytes.readInt32LE(at + 4) * 0x100000000 + bytes.readUInt32LE(at));
    case TYPE.null:
      return null;
    case TYPE.int:
      return new Int32(readInt32(bytes, at));
    case TYPE.long:
      return bytes.readBigInt64LE(at);
    default:
      return new OpaqueValue(type, bytes.subarray(at, limit));
  }
}

function deeper(depth: number): number {
  if (depth >= MAX_DEPTH) {
    throw new CommandError(15, `BSONObj exceeded maximum nested object depth: ${MAX_DEPTH}`);
  }
  return depth + 1;
}

/** Decodes only the top-level fields for which it was created from an encoded document. */
export type FieldSelector = (bytes: Buffer) => Doc;

/** A selector for these names; without names, for the whole document. */
export function fieldSelector(names: Iterable<string> | undefined): FieldSelector {
  if (names === undefined) return (bytes) => decodeDocument(bytes);
  const wanted = [...names].map((name) => ({ name, bytes: Buffer.from(name) }));
  return (bytes) => {
    const result: Doc = new Map();
    if (wanted.length === 0) return result;
    eachElement(bytes, 0, (type, nameStart, nameStop, at, limit) => {
      for (const field of wanted) {
        if (isName(bytes, nameStart, nameStop, field.bytes)) {
          result.set(field.name, decodeValue(bytes, type, at, limit, 0));
          return;
        }
      }
    });
    return result;
  };
}

function isName(bytes: Buffer, start: number, stop: number, name: Buffer): boolean {
  if (stop - start !== name.length) return false;
  for (let at = 0; at < name.length; at++) {
    if (bytes[start + at] !== name[at]) return false;
  }
  return true;
}
