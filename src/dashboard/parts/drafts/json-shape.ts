/** Why a text cannot be shown as a form: it is not JSON, or the part at a pointer has another type. */
export type JsonFault =
  | { readonly kind: "syntax"; readonly message: string }
  | { readonly kind: "shape"; readonly pointer: string };

export type ReadJson<Content> = { readonly content: Content } | { readonly fault: JsonFault };

/** Settings from a text. The server validates the values, and refuses unknown fields. */
export function readJsonAs<Content>(shape: Check, source: string): ReadJson<Content> {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { fault: { kind: "syntax", message } };
  }
  const pointer = shape(value, "");
  if (pointer !== undefined) return { fault: { kind: "shape", pointer } };
  return { content: value as Content };
}

/** @returns pointer of the first part with another type; undefined: there is none */
export type Check = (value: unknown, at: string) => string | undefined;

const ofType =
  (type: "string" | "number" | "boolean"): Check =>
  (value, at) =>
    typeof value === type ? undefined : at;
export const text = ofType("string");
export const number = ofType("number");
export const flag = ofType("boolean");

/** The pointer is that of the whole part: it fits none of the checks. */
export const anyOf =
  (...checks: readonly Check[]): Check =>
  (value, at) =>
    checks.some((check) => check(value, at) === undefined) ? undefined : at;

export const list =
  (item: Check): Check =>
  (value, at) =>
    Array.isArray(value) ? firstOf(value.map((one, index) => item(one, `${at}/${index}`))) : at;

/** @param required names of the fields that must be present */
export const object =
  (fields: Readonly<Record<string, Check>>, required: readonly string[] = []): Check =>
  (value, at) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return at;
    const values = value as Readonly<Record<string, unknown>>;
    const faults = Object.entries(fields).map(([name, check]) => {
      const isMissing = values[name] === undefined && !required.includes(name);
      return isMissing ? undefined : check(values[name], `${at}/${name}`);
    });
    return firstOf(faults);
  };

const firstOf = (faults: readonly (string | undefined)[]) => faults.find((fault) => fault !== undefined);
