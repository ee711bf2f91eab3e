import { BinaryValue, DateTime, type Doc, Int32, typeByte, type Value } from "./values.ts";

/** Encodes a document; measured first, so that one buffer of the right size is written once. */
export function encodeDocument(doc: Doc): Buffer {
  const bytes = Buffer.allocUnsafe(documentSize(doc));
  writeDocument(bytes, 0, doc);
  return bytes;
}

/** The elements of an array are fields, too, named by their positions. */
function fieldsOf(container: Doc | readonly Value[]): Iterable<readonly [string | number, Value]> {
  return container instanceof Map ? container : container.entries();
}

function documentSize(container: Doc | readonly Value[]): number {
  let size = 5;
  for (const [name, value] of fieldsOf(container)) {
    size += 2 + Buffer.byteLength(String(name)) + valueSize(value);
  }
  return size;
}

function valueSize(value: Value): number {
  switch (typeof value) {
    case "string":
      return 5 + Buffer.byteLength(value);
    case "number":
    case "bigint":
      return 8;
    case "boolean":
      return 1;
  }
  if (value === null) return 0;
  if (value instanceof Map || Array.isArray(value)) return documentSize(value);
  if (value instanceof Int32) return 4;
  if (value instanceof DateTime) return 8;
  return value instanceof BinaryValue ? 5 + value.bytes.length : value.bytes.length;
}

function writeDocument(bytes: Buffer, start: number, container: Doc | readonly Value[]): number {
  let at = start + 4;
  for (const [name, value] of fieldsOf(container)) {
    bytes[at] = typeByte(value);
    at += 1 + bytes.write(String(name), at + 1);
    bytes[at] = 0;
    at = writeValue(bytes, at + 1, value);
  }
  bytes[at] = 0;
  bytes.writeInt32LE(at + 1 - start, start);
  return at + 1;
}

function writeString(bytes: Buffer, at: number, text: string): number {
  const length = bytes.write(text, at + 4);
  bytes.writeInt32LE(length + 1, at);
  bytes[at + 4 + length] = 0;
  return at + 5 + length;
}

/** Writes the value and returns where it ends. */
function writeValue(bytes: Buffer, at: number, value: Value): number {
  switch (typeof value) {
    case "string":
      return writeString(bytes, at, value);
    case "number":
      return bytes.writeDoubleLE(value, at);
    case "bigint":
      return bytes.writeBigInt64LE(value, at);
    case "boolean":
      bytes[at] = value ? 1 : 0;
      return at + 1;
  }
  if (value === null) return at;
  if (value instanceof Map || Array.isArray(value)) return writeDocument(bytes, at, value);
  if (value instanceof Int32) return bytes.writeInt32LE(value.value, at);
  if (value instanceof DateTime) {
    const high = Math.floor(value.ms / 0x100000000);
    bytes.writeUInt32LE(value.ms - high * 0x100000000, at);
    return bytes.writeInt32LE(high, at + 4);
  }
  if (value instanceof BinaryValue) {
    bytes.writeInt32LE(value.bytes.length, at);
    bytes[at + 4] = value.subtype;
    return at + 5 + value.bytes.copy(bytes, at + 5);
  }
  return at + value.bytes.copy(bytes, at);
}
