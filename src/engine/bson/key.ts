/**
 * Index keys: the plain order of the bytes (memcmp, as SQLite compares blobs) is MongoDB's order of the values. Each
 * encoded value is self-delimiting, so that keys of several fields are concatenated. A descending field has every bit
 * inverted. The first byte of a value is within 0x05..0xF0 (its inverse within 0x0F..0xFA), so that 0x00 and 0xFF can
 * mean "before" and "after everything with this prefix".
 */
import { notImplemented } from "../errors.ts";
import { floorToDouble } from "./numbers.ts";
import {
  BinaryValue,
  DateTime,
  type Doc,
  Int32,
  type NumericValue,
  ObjectIdValue,
  OpaqueValue,
  typeName,
  UNDEFINED,
  type Value,
} from "./values.ts";

/**
 * Rank of a value's type in MongoDB's order; equal for all types that compare by value with one another.
 * @throws CommandError NotImplemented for a type that is only stored
 */
export function typeRank(value: Value): number {
  switch (typeof value) {
    case "string":
      return RANK.string;
    case "number":
    case "bigint":
      return RANK.number;
    case "boolean":
      return RANK.boolean;
  }
  if (value === null) return RANK.null;
  if (Array.isArray(value)) return RANK.array;
  if (value instanceof Int32) return RANK.number;
  if (value instanceof DateTime) return RANK.date;
  if (value instanceof ObjectIdValue) return RANK.objectId;
  if (value instanceof BinaryValue) return RANK.binary;
  if (value === UNDEFINED) return RANK.undefined;
  if (value instanceof OpaqueValue) throw notImplemented(`to compare a value of type ${typeName(value)}`);
  return RANK.object;
}

/** Ranks missing between these belong to types that are only stored. */
export const RANK = {
  undefined: 0x08,
  null: 0x0a,
  number: 0x10,
  string: 0x20,
  object: 0x30,
  array: 0x40,
  binary: 0x50,
  objectId: 0x60,
  boolean: 0x70,
  date: 0x80,
} as const;

/** Collects the values of one key; `take` returns the bytes and empties it. */
export class KeyWriter {
  #bytes = Buffer.allocUnsafe(256);
  #length = 0;

  take(): Buffer {
    const key = Buffer.allocUnsafe(this.#length);
    this.#bytes.copy(key, 0, 0, this.#length);
    this.#length = 0;
    return key;
  }

  value(value: Value, descending = false): this {
    const start = this.#length;
    const rank = typeRank(value);
    this.#byte(rank);
    this.#payload(value, rank);
    if (descending) {
      for (let at = start; at < this.#length; at++) this.#bytes[at] = ~(this.#bytes[at] as number);
    }
    return this;
  }

  #payload(value: Value, rank: number): void {
    switch (rank) {
      case RANK.string:
        this.#text(value as string);
        break;
      case RANK.number:
        this.#number(value as NumericValue);
        break;
      case RANK.objectId:
        this.#raw((value as ObjectIdValue).bytes);
        break;
      case RANK.date:
        // With the sign bit inverted, negative values come first.
        this.#room(8);
        this.#bytes.writeBigInt64BE(BigInt((value as DateTime).ms), this.#length);
        this.#bytes[this.#length] = (this.#bytes[this.#length] as number) ^ 0x80;
        this.#length += 8;
        break;
      case RANK.boolean:
        this.#byte(value === true ? 2 : 1);
        break;
      case RANK.object:
        this.#object(value as Doc);
        break;
      case RANK.array:
        for (const item of value as Value[]) this.value(item);
        this.#byte(0);
        break;
      case RANK.binary:
        this.#room(4);
        this.#length = this.#bytes.writeUInt32BE((value as BinaryValue).bytes.length, this.#length);
        this.#byte((value as BinaryValue).subtype);
        this.#raw((value as BinaryValue).bytes);
        break;
    }
  }

  /** Objects compare field by field: type first, then name, then value. */
  #object(value: Doc): void {
    for (const [name, field] of value) {
      const rank = typeRank(field);
      this.#byte(rank);
      this.#text(name);
      this.#payload(field, rank);
    }
    this.#byte(0);
  }

  #number(value: NumericValue): void {
    const { double, rest } = floorToDouble(value);
    this.#room(9);
    const at = this.#length;
    this.#length += 8;
    if (Number.isNaN(double)) {
      this.#bytes.fill(0, at, at + 8);
    } else {
      this.#bytes.writeDoubleBE(double === 0 ? 0 : double, at);
      if (double < 0) {
        for (let index = at; index < at + 8; index++) this.#bytes[index] = ~(this.#bytes[index] as number);
      } else {
        this.#bytes[at] = (this.#bytes[at] as number) | 0x80;
      }
    }
    if (rest === 0n) {
      this.#byte(1);
      return;
    }
    const digits = rest.toString();
    this.#byte(2);
    this.#room(2);
    this.#length = this.#bytes.writeUInt16BE(digits.length + 0x8000, this.#length);
    this.#text(digits.replace(/0+$/, ""));
  }

  /** UTF-8; an inner NUL is written as 00 FF, the end as 00 00. */
  #text(text: string): void {
    this.#room(text.length * 3 + 2);
    if (!text.includes("\0")) {
      this.#length += this.#bytes.write(text, this.#length);
    } else {
      const bytes = Buffer.from(text);
      this.#room(bytes.length * 2 + 2);
      for (const byte of bytes) {
        this.#bytes[this.#length++] = byte;
        if (byte === 0) this.#bytes[this.#length++] = 0xff;
      }
    }
    this.#bytes[this.#length++] = 0;
    this.#bytes[this.#length++] = 0;
  }

  #raw(bytes: Buffer): void {
    this.#room(bytes.length);
    this.#length += bytes.copy(this.#bytes, this.#length);
  }

  #byte(byte: number): void {
    this.#room(1);
    this.#bytes[this.#length++] = byte;
  }

  #room(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + count));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** The key of a single value. */
export function encodeKey(value: Value, descending = false): Buffer {
  return new KeyWriter().value(value, descending).take();
}

/** Equal for values that are equal in MongoDB (1 and 1.0 are, { a, b } and { b, a } are not). */
export function identity(value: Value): string {
  return encodeKey(value).toString("latin1");
}
