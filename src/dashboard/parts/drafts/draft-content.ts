import type { ChangedField } from "../field-changes.tsx";

/** Settings as JSON: every setting is a field, a list, or a plain value. */

/** Whether two settings are equal. The order of their fields has no meaning. */
export const isSame = (one: object, other: object): boolean => ordered(one) === ordered(other);

/** JSON with the fields of each part in alphabetical order. */
const ordered = (content: object) =>
  JSON.stringify(content, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );

/** The same settings without fields that are undefined: JSON has none. */
export const plain = <Content extends object>(content: Content): Content =>
  JSON.parse(JSON.stringify(content)) as Content;

/** Whether a field is a password. */
const isPassword = (field: string): boolean => field.endsWith(".password");

/**
 * The fields that differ between two settings.
 * @param isSecret whether the values of a field are not shown; missing: those of passwords
 */
export function changesBetween(before: object, after: object, isSecret = isPassword): ChangedField[] {
  const [old, next] = [new Map(fieldsOf(before)), new Map(fieldsOf(after))];
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((field) => {
    const [was, is] = [old.get(field), next.get(field)];
    if (was === is) return [];
    if (isSecret(field)) return { field, secret: true };
    return { field, before: was, after: is, secret: false };
  });
}

/** Paths of the fields, with their values as JSON. A list of plain values is one field. */
function fieldsOf(value: unknown, path: readonly string[] = []): [string, string][] {
  const isPlain = typeof value !== "object" || value === null;
  const isList = Array.isArray(value) && value.every((one) => typeof one !== "object");
  if (isPlain || isList) return [[path.join("."), JSON.stringify(value)]];
  return Object.entries(value as object).flatMap(([name, one]) => fieldsOf(one, [...path, name]));
}

/** The value at a JSON pointer; undefined if there is none. */
export function valueAt(content: unknown, pointer: string): unknown {
  const names = pointer.split("/").slice(1);
  return names.reduce<unknown>((value, name) => {
    const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
    const isKnown = typeof value === "object" && value !== null && Object.hasOwn(value, key);
    return isKnown ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
  }, content);
}
