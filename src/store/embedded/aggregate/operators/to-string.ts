import { DateTime, Int32, ObjectIdValue, type Value } from "../../bson/values.ts";
import { notImplemented } from "../../errors.ts";

/** A value as `$toString` gives it. */
export function stringOf(value: Value): string {
  if (typeof value === "string") return value;
  if (typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (value instanceof Int32) return String(value.value);
  if (value instanceof ObjectIdValue) return value.bytes.toString("hex");
  if (value instanceof DateTime) return new Date(value.ms).toISOString();
  // Other doubles MongoDB writes with another number of digits than JavaScript.
  if (typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  throw notImplemented("$toString of this type");
}
