/**
 * How BSON values live in the engine's memory. Every BSON type has exactly one form here, so that a document which is
 * decoded, changed in one field and encoded again keeps the types, bytes and field order of all its other fields:
 * int32 = Int32, int64 = bigint, double = number, document = Map (a plain object would reorder keys such as "1").
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

export class RegexValue {
  readonly pattern: string;
  readonly options: string;
  constructor(pattern: string, options: string) {
    this.pattern = pattern;
    this.options = options;
  }
}

/** Unsigned 64 bits: seconds in the upper half, ordinal in the lower. */
export class TimestampValue {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

/** IEEE 754-2008 decimal128, sixteen bytes as stored in BSON (little endian). */
export class DecimalValue {
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/** JavaScript code, kept but never run. */
export class CodeValue {
  readonly code: string;
  readonly scope: Doc | undefined;
  constructor(code: string, scope?: Doc) {
    this.code = code;
    this.scope = scope;
  }
}

/** The deprecated symbol type: compares like a string. */
export class SymbolValue {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}

/** The three types without content. */
export class Marker {
  readonly kind: "minKey" | "maxKey" | "undefined";
  constructor(kind: "minKey" | "maxKey" | "undefined") {
    this.kind = kind;
  }
}
export const MIN_KEY = new Marker("minKey");
export const MAX_KEY = new Marker("maxKey");
export const UNDEFINED = new Marker("undefined");

/** An encoded document that goes in or out as it is. */
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
  | RegexValue
  | TimestampValue
  | DecimalValue
  | CodeValue
  | SymbolValue
  | Marker
  | RawDoc
  | Value[]
  | Doc;

export type NumericValue = number | bigint | Int32 | DecimalValue;

/** BSON type numbers as `$type` knows them. */
export function typeNumber(value: Value): number {
  switch (typeof value) {
    case "string":
      return 2;
    case "number":
      return 1;
    case "bigint":
      return 18;
    case "boolean":
      return 8;
  }
  if (value === null) return 10;
  if (value instanceof Map || value instanceof RawDoc) return 3;
  if (Array.isArray(value)) return 4;
  if (value instanceof Int32) return 16;
  if (value instanceof DateTime) return 9;
  if (value instanceof ObjectIdValue) return 7;
  if (value instanceof BinaryValue) return 5;
  if (value instanceof RegexValue) return 11;
  if (value instanceof TimestampValue) return 17;
  if (value instanceof DecimalValue) return 19;
  if (value instanceof CodeValue) return value.scope === undefined ? 13 : 15;
  if (value instanceof SymbolValue) return 14;
  return value.kind === "minKey" ? -1 : value.kind === "maxKey" ? 127 : 6;
}

const TYPE_NAMES: Record<number, string> = {
  [-1]: "minKey",
  1: "double",
  2: "string",
  3: "object",
  4: "array",
  5: "binData",
  6: "undefined",
  7: "objectId",
  8: "bool",
  9: "date",
  10: "null",
  11: "regex",
  13: "javascript",
  14: "symbol",
  15: "javascriptWithScope",
  16: "int",
  17: "timestamp",
  18: "long",
  19: "decimal",
  127: "maxKey",
};

export const TYPE_NUMBERS: ReadonlyMap<string, number> = new Map(
  Object.entries(TYPE_NAMES).map(([number, name]) => [name, Number(number)]),
);

/** The type's name as in MongoDB's messages; a missing value is "missing". */
export function typeName(value: Value | undefined): string {
  return value === undefined ? "missing" : (TYPE_NAMES[typeNumber(value)] ?? "unknown");
}

export function isNumeric(value: Value | undefined): value is NumericValue {
  return (
    typeof value === "number" ||
    typeof value === "bigint" ||
    value instanceof Int32 ||
    value instanceof DecimalValue
  );
}

/** A document from an object literal; undefined fields are left out. Literal numbers are doubles: see `int`. */
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
