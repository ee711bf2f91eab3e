/**
 * BSON values in the engine's memory. Every type that is compared has exactly one form, so that a document that is decoded,
 * changed in one field and encoded again keeps the types, bytes and field order of its other fields: int32 = Int32, int64 =
 * bigint, double = number, document = Map (a plain object would reorder keys such as "1"). Any other type is kept as an
 * `OpaqueValue`.
 */
export class Int32 {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/** UTC date-time, milliseconds since the epoch. */
export class DateTime {
  readonly ms: number;
  constructor(ms: number) {
    this.ms = ms;
  }
}

/** Twelve bytes. */
export class ObjectIdValue {
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

export class BinaryValue {
  readonly subtype: number;
  readonly bytes: Buffer;
  constructor(subtype: number, bytes: Buffer) {
    this.subtype = subtype;
    this.bytes = bytes;
  }
}

/** An encoded value of a type that Hermod does not use: it is stored and returned without being decoded. */
export class OpaqueValue {
  readonly type: number;
  readonly bytes: Buffer;
  constructor(type: number, bytes: Buffer) {
    this.type = type;
    this.bytes = bytes;
  }
}

/** An encoded document that is passed through unchanged. */
export class RawDoc {
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

export type Doc = Map<string, Value>;
export type Value =
  | string
  | number
  | bigint
  | boolean
  | null
  | Int32
  | DateTime
  | ObjectIdValue
  | BinaryValue
  | OpaqueValue
  | RawDoc
  | Value[]
  | Doc;

export type NumericValue = number | bigint | Int32;

/** The type byte of an encoded value (https://bsonspec.org/spec.html). */
export const TYPE = {
  double: 0x01,
  string: 0x02,
  object: 0x03,
  array: 0x04,
  binData: 0x05,
  undefined: 0x06,
  objectId: 0x07,
  bool: 0x08,
  date: 0x09,
  null: 0x0a,
  regex: 0x0b,
  javascript: 0x0d,
  symbol: 0x0e,
  javascriptWithScope: 0x0f,
  int: 0x10,
  timestamp: 0x11,
  long: 0x12,
  decimal: 0x13,
  maxKey: 0x7f,
  minKey: 0xff,
} as const;

/** Represents an empty array in an index, and a missing field in an expression: below null. */
export const UNDEFINED = new OpaqueValue(TYPE.undefined, Buffer.alloc(0));

export function typeByte(value: Value): number {
  switch (typeof value) {
    case "string":
      return TYPE.string;
    case "number":
      return TYPE.double;
    case "bigint":
      return TYPE.long;
    case "boolean":
      return TYPE.bool;
  }
  if (value === null) return TYPE.null;
  if (value instanceof Map || value instanceof RawDoc) return TYPE.object;
  if (Array.isArray(value)) return TYPE.array;
  if (value instanceof Int32) return TYPE.int;
  if (value instanceof DateTime) return TYPE.date;
  if (value instanceof BinaryValue) return TYPE.binData;
  return value instanceof ObjectIdValue ? TYPE.objectId : value.type;
}

/** The type's name as in MongoDB's messages; a missing value is "missing". */
export function typeName(value: Value | undefined): string {
  if (value === undefined) return "missing";
  const type = typeByte(value);
  return Object.entries(TYPE).find(([, byte]) => byte === type)?.[0] ?? "unknown";
}

export function isNumeric(value: Value | undefined): value is NumericValue {
  return typeof value === "number" || typeof value === "bigint" || value instanceof Int32;
}

/** A document from an object literal; undefined fields are omitted. Literal numbers are doubles: see `int`. */
export function doc(fields: Record<string, Value | undefined>): Doc {
  const result: Doc = new Map();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) result.set(name, value);
  }
  return result;
}

export function int(value: number): Int32 {
  return new Int32(value);
}
