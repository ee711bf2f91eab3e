import {
  BinaryValue,
  DateTime,
  DecimalValue,
  type Doc,
  Int32,
  Marker,
  ObjectIdValue,
  RawDoc,
  RegexValue,
  SymbolValue,
  TimestampValue,
  type Value,
} from "./values.ts";

/** Encodes a document; measured first, so that one buffer of the right size is written once. */
export function encodeDocument(doc: Doc): Buffer {
  const bytes = Buffer.allocUnsafe(documentSize(doc));
  writeDocument(bytes, 0, doc);
  return bytes;
}

export function documentSize(doc: Doc): number {
  let size = 5;
  for (const [name, value] of doc) size += 2 + Buffer.byteLength(name) + valueSize(value);
  return size;
}

function arraySize(values: readonly Value[]): number {
  let size = 5;
  for (let index = 0; index < values.length; index++) {
    size += 2 + digits(index) + valueSize(values[index] as Value);
  }
  return size;
}

function digits(index: number): number {
  return index < 10 ? 1 : index < 100 ? 2 : String(index).length;
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
  if (value === null || value instanceof Marker) return 0;
  if (value instanceof Map) return documentSize(value);
  if (Array.isArray(value)) return arraySize(value);
  if (value instanceof Int32) return 4;
  if (value instanceof DateTime || value instanceof TimestampValue) return 8;
  if (value instanceof ObjectIdValue) return 12;
  if (value instanceof BinaryValue) return 5 + value.bytes.length;
  if (value instanceof RawDoc) return value.bytes.length;
  if (value instanceof DecimalValue) return 16;
  if (value instanceof RegexValue) {
    return 2 + Buffer.byteLength(value.pattern) + Buffer.byteLength(value.options);
  }
  if (value instanceof SymbolValue) return 5 + Buffer.byteLength(value.value);
  const code = 5 + Buffer.byteLength(value.code);
  return value.scope === undefined ? code : 4 + code + documentSize(value.scope);
}

function writeDocument(bytes: Buffer, start: number, doc: Doc): number {
  let at = start + 4;
  for (const [name, value] of doc) {
    const typeAt = at;
    at += 1 + bytes.write(name, at + 1);
    bytes[at] = 0;
    at = writeValue(bytes, typeAt, at + 1, value);
  }
  return closeDocument(bytes, start, at);
}

function writeArray(bytes: Buffer, start: number, values: readonly Value[]): number {
  let at = start + 4;
  for (let index = 0; index < values.length; index++) {
    const typeAt = at;
    at += 1 + bytes.write(String(index), at + 1, "latin1");
    bytes[at] = 0;
    at = writeValue(bytes, typeAt, at + 1, values[index] as Value);
  }
  return closeDocument(bytes, start, at);
}

function closeDocument(bytes: Buffer, start: number, at: number): number {
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

function writeValue(bytes: Buffer, typeAt: number, at: number, value: Value): number {
  switch (typeof value) {
    case "string":
      bytes[typeAt] = 0x02;
      return writeString(bytes, at, value);
    case "number":
      bytes[typeAt] = 0x01;
      return bytes.writeDoubleLE(value, at);
    case "bigint":
      bytes[typeAt] = 0x12;
      return bytes.writeBigInt64LE(value, at);
    case "boolean":
      bytes[typeAt] = 0x08;
      bytes[at] = value ? 1 : 0;
      return at + 1;
  }
  if (value === null) {
    bytes[typeAt] = 0x0a;
    return at;
  }
  if (value instanceof Map) {
    bytes[typeAt] = 0x03;
    return writeDocument(bytes, at, value);
  }
  if (Array.isArray(value)) {
    bytes[typeAt] = 0x04;
    return writeArray(bytes, at, value);
  }
  return writeObject(bytes, typeAt, at, value);
}

function writeObject(
  bytes: Buffer,
  typeAt: number,
  at: number,
  value: Exclude<Value, string | number | bigint | boolean | null | Doc | Value[]>,
): number {
  if (value instanceof Int32) {
    bytes[typeAt] = 0x10;
    return bytes.writeInt32LE(value.value, at);
  }
  if (value instanceof DateTime) {
    bytes[typeAt] = 0x09;
    const high = Math.floor(value.ms / 0x100000000);
    bytes.writeUInt32LE(value.ms - high * 0x100000000, at);
    return bytes.writeInt32LE(high, at + 4);
  }
  if (value instanceof ObjectIdValue) {
    bytes[typeAt] = 0x07;
    return at + value.bytes.copy(bytes, at);
  }
  if (value instanceof BinaryValue) {
    bytes[typeAt] = 0x05;
    bytes.writeInt32LE(value.bytes.length, at);
    bytes[at + 4] = value.subtype;
    return at + 5 + value.bytes.copy(bytes, at + 5);
  }
  if (value instanceof RawDoc) {
    bytes[typeAt] = 0x03;
    return at + value.bytes.copy(bytes, at);
  }
  if (value instanceof DecimalValue) {
    bytes[typeAt] = 0x13;
    return at + value.bytes.copy(bytes, at);
  }
  if (value instanceof TimestampValue) {
    bytes[typeAt] = 0x11;
    return bytes.writeBigUInt64LE(value.value, at);
  }
  if (value instanceof RegexValue) {
    bytes[typeAt] = 0x0b;
    let end = at + bytes.write(value.pattern, at);
    bytes[end++] = 0;
    end += bytes.write(value.options, end);
    bytes[end] = 0;
    return end + 1;
  }
  if (value instanceof SymbolValue) {
    bytes[typeAt] = 0x0e;
    return writeString(bytes, at, value.value);
  }
  if (value instanceof Marker) {
    bytes[typeAt] = value.kind === "minKey" ? 0xff : value.kind === "maxKey" ? 0x7f : 0x06;
    return at;
  }
  if (value.scope === undefined) {
    bytes[typeAt] = 0x0d;
    return writeString(bytes, at, value.code);
  }
  bytes[typeAt] = 0x0f;
  const end = writeDocument(bytes, writeString(bytes, at + 4, value.code), value.scope);
  bytes.writeInt32LE(end - at, at);
  return end;
}
