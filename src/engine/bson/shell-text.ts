import { BinaryValue, DateTime, Int32, ObjectIdValue, typeName, type Value } from "./values.ts";

/** A value in the form of error messages of MongoDB's server. */
export function shellText(value: Value): string {
  if (typeof value === "string") return `"${value}"`;
  if (typeof value === "number") return doubleText(value);
  if (value instanceof Map) {
    if (value.size === 0) return "{}";
    return `{ ${[...value].map(([name, field]) => `${name}: ${shellText(field)}`).join(", ")} }`;
  }
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[ ${value.map(shellText).join(", ")} ]`;
  if (value instanceof Int32) return String(value.value);
  if (value instanceof DateTime) return `new Date(${value.ms})`;
  if (value instanceof ObjectIdValue) return `ObjectId('${value.bytes.toString("hex")}')`;
  if (value instanceof BinaryValue) {
    return `BinData(${value.subtype}, ${value.bytes.toString("hex").toUpperCase()})`;
  }
  return typeof value === "bigint" || typeof value === "boolean" ? String(value) : typeName(value);
}

function doubleText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  return Number.isInteger(value) && Math.abs(value) < 1e15 ? `${value}.0` : String(value);
}
