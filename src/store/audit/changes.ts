import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { AnyClasses, FieldClass } from "./classes.ts";
import type { AuditChange } from "./entry-document.ts";

/** A resource before or after a change; undefined: it does not exist. */
export type State = object | undefined;

/** Longer values are replaced with their length and digest: the log must not contain whole mails. */
const MAX_VALUE_LENGTH = 1_000;
/** Further changes of one resource are counted in the last entry. */
const MAX_CHANGES = 100;

/**
 * The differences between two states of a resource, field by field, in the order of the classes. A field without a
 * class is treated as a secret and never shown.
 * @param onUnclassified called with its path, such as `transports.0.token`
 */
export function changesBetween(
  classes: AnyClasses,
  before: State,
  after: State,
  onUnclassified: (path: string) => void = () => undefined,
): AuditChange[] {
  const changes: AuditChange[] = [];

  function compare(
    kind: FieldClass | AnyClasses | undefined,
    path: string,
    from: unknown,
    to: unknown,
  ): void {
    if (kind === undefined) onUnclassified(path);
    if (kind === "ignore" || isDeepStrictEqual(from, to)) return;
    if (kind === undefined || kind === "secret") changes.push({ field: path, secret: true });
    else if (kind === "track") changes.push(withValues(path, from, to));
    else if (isObject(from) || isObject(to)) within(kind, path, from, to);
    else changes.push({ field: path, secret: true });
  }

  function within(kind: AnyClasses, path: string, from: unknown, to: unknown): void {
    if (Array.isArray(from) || Array.isArray(to)) {
      const [former, next] = [listOf(from), listOf(to)];
      for (let at = 0; at < Math.max(former.length, next.length); at++)
        within(kind, `${path}.${at}`, former[at], next[at]);
      return;
    }
    const [former, next] = [fieldsOf(from), fieldsOf(to)];
    const names = new Set([...Object.keys(kind), ...Object.keys(former), ...Object.keys(next)]);
    for (const name of names) {
      if (former[name] === undefined && next[name] === undefined) continue;
      const known = Object.hasOwn(kind, name) ? kind[name] : undefined;
      compare(known, path === "" ? name : `${path}.${name}`, former[name], next[name]);
    }
  }

  within(classes, "", before, after);
  if (changes.length <= MAX_CHANGES) return changes;
  const more = changes.length - MAX_CHANGES + 1;
  return [...changes.slice(0, MAX_CHANGES - 1), { field: `and ${more} more fields`, secret: true }];
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  isObject(value) ? (value as Readonly<Record<string, unknown>>) : {};

function withValues(field: string, from: unknown, to: unknown): AuditChange {
  return {
    field,
    ...(from !== undefined && { before: shown(from) }),
    ...(to !== undefined && { after: shown(to) }),
  };
}

/** A value as JSON text, or its length and digest. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  if (text.length <= MAX_VALUE_LENGTH) return text;
  const digest = createHash("sha256").update(text).digest("hex");
  return JSON.stringify({ characters: text.length, sha256: digest });
}
