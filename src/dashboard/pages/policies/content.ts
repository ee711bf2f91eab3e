import type { Policy, PolicyContent, PolicyTransport } from "../../api/policies.ts";
import type { ChangedField } from "../../parts/field-changes.tsx";

/** The fields of a stored policy that a change replaces. */
type Stored = Omit<Policy, "name" | "default" | "revision" | "updated_at" | "stored_by">;

/** The settings of a stored policy, as a change sends them. They have no passwords. */
export function contentOf(stored: Stored): PolicyContent {
  const { transports, rules, retry, max_age_seconds, priority } = stored;
  const { limits, source, list_unsubscribe, tracking } = stored;
  return tidy({
    transports: transports.map(transportOf),
    rules: rules.map((rule) => ({ domains: rule.domains, transports: rule.transports.map(transportOf) })),
    retry,
    max_age_seconds,
    priority,
    limits,
    source: source && {
      address: source.address || undefined,
      address6: source.address6 || undefined,
      helo_name: source.helo_name || undefined,
    },
    list_unsubscribe,
    tracking,
  });
}

function transportOf({ sandbox, smtp, direct }: PolicyTransport): PolicyContent["transports"][number] {
  if (smtp) return { smtp: { ...smtp, username: smtp.username || undefined } };
  if (direct) return { direct };
  return sandbox ? { sandbox: {} } : {};
}

/** The same settings without fields that set nothing. */
export function tidy(content: PolicyContent): PolicyContent {
  const { rules, retry, limits, source, tracking } = content;
  return plain({
    ...content,
    rules: rules?.length === 0 ? undefined : rules,
    retry: retry?.waits_seconds.length === 0 ? undefined : retry,
    limits: hasValue(limits) ? limits : undefined,
    source: hasValue(source) ? source : undefined,
    tracking: tracking?.opens || tracking?.clicks ? tracking : undefined,
  });
}

const hasValue = (fields: object = {}) => Object.values(fields).some((value) => value !== undefined);

/** JSON has no undefined fields. */
const plain = (content: PolicyContent) => JSON.parse(JSON.stringify(content)) as PolicyContent;

/** Whether two settings are equal. The order of their fields has no meaning. */
export const isSame = (one: PolicyContent, other: PolicyContent): boolean => ordered(one) === ordered(other);

/** JSON with the fields of each part in alphabetical order. */
const ordered = (content: PolicyContent) =>
  JSON.stringify(content, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );

/** The same settings without passwords. */
export const withoutPasswords = (content: PolicyContent): PolicyContent =>
  JSON.parse(
    JSON.stringify(content, (name, value: unknown) => (name === "password" ? undefined : value)),
  ) as PolicyContent;

/** The fields that differ between two settings. Passwords are not shown. */
export function changesBetween(before: PolicyContent, after: PolicyContent): ChangedField[] {
  const [old, next] = [new Map(fieldsOf(before)), new Map(fieldsOf(after))];
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((field) => {
    const [was, is] = [old.get(field), next.get(field)];
    if (was === is) return [];
    if (field.endsWith(".password")) return { field, secret: true };
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
