import { decimalText } from "./numbers.ts";
import {
  BinaryValue,
  CodeValue,
  DateTime,
  DecimalValue,
  Int32,
  ObjectIdValue,
  RawDoc,
  RegexValue,
  SymbolValue,
  TimestampValue,
  type Value,
} from "./values.ts";

/** A value as MongoDB's server writes it into error messages. */
export function shellText(value: Value): string {
  switch (typeof value) {
    case "string":
      return `"${value}"`;
    case "number":
      return doubleText(value);
    case "bigint":
      return String(value);
    case "boolean":
      return String(value);
  }
  if (value === null) return "null";
  if (value instanceof Map) {
    if (value.size === 0) return "{}";
    return `{ ${[...value].map(([name, field]) => `${name}: ${shellText(field)}`).join(", ")} }`;
  }
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[ ${value.map(shellText).join(", ")} ]`;
  if (value instanceof Int32) return String(value.value);
  if (value instanceof DateTime) return `new Date(${value.ms})`;
  if (value instanceof ObjectIdValue) return `ObjectId('${value.bytes.toString("hex")}')`;
  if (value instanceof BinaryValue) {
    const hex = value.bytes.toString("hex").toUpperCase();
    if (value.subtype === 4 && hex.length === 32) {
      return `UUID("${hex.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")}")`;
    }
    return `BinData(${value.subtype}, ${hex})`;
  }
  if (value instanceof RegexValue) return `/${value.pattern}/${value.options}`;
  if (value instanceof TimestampValue)
    return `Timestamp(${value.value >> 32n}, ${value.value & 0xffffffffn})`;
  if (value instanceof DecimalValue) return decimalText(value);
  if (value instanceof SymbolValue) return `"${value.value}"`;
  if (value instanceof CodeValue) return value.code;
  if (value instanceof RawDoc) return "{ ... }";
  return value.kind === "undefined" ? "undefined" : value.kind === "minKey" ? "MinKey" : "MaxKey";
}

function doubleText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  return Number.isInteger(value) && Math.abs(value) < 1e15 ? `${value}.0` : String(value);
}
