/** In ascending order. */
export const severities = ["info", "warning", "critical"] as const;
export type Severity = (typeof severities)[number];

export const severityRank = (severity: Severity): number => severities.indexOf(severity);

/** Highest of the severities; `info` if there are none. */
export function greatestSeverity(some: readonly Severity[]): Severity {
  return severities.findLast((severity) => some.includes(severity)) ?? "info";
}

/** Content of an alert, which rules, silences and inhibitions evaluate. */
export interface Alert {
  readonly eventType: string;
  readonly severity: Severity;
  readonly source: string;
  readonly message: string;
  readonly entityType?: string | undefined;
  readonly entityId?: string | undefined;
  readonly context: Readonly<Record<string, unknown>>;
}

/** Fields of an alert that conditions can name, apart from the severity and the context. */
const TEXTS: Readonly<Record<string, (alert: Alert) => string | undefined>> = {
  event_type: ({ eventType }) => eventType,
  source: ({ source }) => source,
  message: ({ message }) => message,
  entity_type: ({ entityType }) => entityType,
  entity_id: ({ entityId }) => entityId,
};
export const textFields: readonly string[] = Object.keys(TEXTS);

export const SEVERITY_FIELD = "severity";
const CONTEXT_PREFIX = "context.";
/** Maximum number of names in a path. Deeper values cannot be matched. */
export const MAX_CONTEXT_DEPTH = 8;

/** Names below `context` of a field such as `context.host.name`; undefined for any other field. */
export function contextPath(field: string): readonly string[] | undefined {
  if (!field.startsWith(CONTEXT_PREFIX)) return undefined;
  const names = field.slice(CONTEXT_PREFIX.length).split(".");
  return names.length <= MAX_CONTEXT_DEPTH && !names.includes("") ? names : undefined;
}

export function isField(field: string): boolean {
  return field === SEVERITY_FIELD || textFields.includes(field) || contextPath(field) !== undefined;
}

/** Value of a field. */
export type FieldValue = string | number | boolean | object | undefined;

/**
 * Returns a reader for a field of alerts. The reader returns undefined if the alert has no value there. A null in the context
 * counts as no value.
 */
export function fieldReader(field: string): (alert: Alert) => FieldValue {
  if (field === SEVERITY_FIELD) return ({ severity }) => severity;
  const text = Object.hasOwn(TEXTS, field) ? TEXTS[field] : undefined;
  if (text) return text;
  const names = contextPath(field) ?? [];
  return ({ context }) => {
    let found: unknown = context;
    for (const name of names) {
      const isThere = typeof found === "object" && found !== null && Object.hasOwn(found, name);
      found = isThere ? (found as Readonly<Record<string, unknown>>)[name] : undefined;
    }
    return found === null ? undefined : (found as FieldValue);
  };
}
