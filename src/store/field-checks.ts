/** Whether a field of a stored document is valid. */
export type Check = (value: unknown) => boolean;

export const text: Check = (value) => typeof value === "string";
export const filled: Check = (value) => typeof value === "string" && value !== "";
/** Exact in sums, too: counting on from the value must stay exact. */
export const count: Check = (value) =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 52;
/** Up to the year 9999: adding a delay still gives a date. */
export const date: Check = (value) =>
  value instanceof Date && value.getTime() >= 0 && value.getTime() < 253_402_300_800_000;
export const fields: Check = (value) =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
export const textByName: Check = (value) => fields(value) && Object.values(value as object).every(text);
/** An object with fields that pass these checks. It may have other fields. */
export const objectOf =
  (inside: Readonly<Record<string, Check>>): Check =>
  (value) =>
    fields(value) &&
    Object.entries(inside).every(([name, check]) => check((value as Record<string, unknown>)[name]));
export const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
export const texts: Check = listOf(text);
export const oneOf =
  (values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

/** Checks of numbers: a rejected number is out of range. */
const numeric = new WeakSet<Check>();

/** Marks a check of a number. */
export function ofNumber(check: Check): Check {
  numeric.add(check);
  return check;
}

ofNumber(count);

/**
 * Creates a function that describes the first invalid field of a document, such as `recipient: it is of the type
 * number`; undefined: all are valid.
 */
export function createShapeFault<T>(checks: readonly (readonly [field: keyof T & string, check: Check])[]) {
  return (document: T): string | undefined => {
    for (const [field, check] of checks) {
      if (!check(document[field])) return `${field}: it is ${kindOf(document[field], check)}`;
    }
    return undefined;
  };
}

function kindOf(value: unknown, check: Check): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "an invalid date" : "a date";
  if (typeof value === "string") return value === "" ? "empty" : "not one of its values";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "number" && numeric.has(check)) return `${value}, which is out of range`;
  return `of the type ${typeof value}`;
}
