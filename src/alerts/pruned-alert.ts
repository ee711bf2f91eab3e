import { createHash } from "node:crypto";
import { type Alert, contextPath, fieldReader } from "./alert.ts";

const MAX_TEXT = 200;

/** Reduces alerts to what incidents need, so that many fit into memory. */
export interface PruneAlert {
  /** Short texts, and the values of the fields in a flat context. */
  prune(alert: Alert): Alert;
  /** Names of fields in a pruned alert. */
  fieldsOf(fields: readonly string[]): string[];
}

/**
 * Equal values of a field stay equal, and different ones different: a digest replaces long values.
 * @param fields fields by which rules group alerts
 */
export function createPruneAlert(fields: Iterable<string>): PruneAlert {
  const flat = new Map(
    [...new Set(fields)]
      .filter((field) => contextPath(field) !== undefined)
      .map((field, index) => [field, { name: `f${index}`, read: fieldReader(field) }] as const),
  );
  return {
    prune(alert) {
      const entries = [...flat.values()].flatMap(({ name, read }) => {
        const value = read(alert);
        return value === undefined ? [] : [[name, short(value)] as const];
      });
      return { ...alert, message: String(short(alert.message)), context: Object.fromEntries(entries) };
    },

    fieldsOf: (given) =>
      given.map((field) => {
        const known = flat.get(field);
        return known ? `context.${known.name}` : field;
      }),
  };
}

function short(value: unknown): unknown {
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value === "string" && value.length <= MAX_TEXT) return value;
  return `digest ${createHash("sha256").update(JSON.stringify(value)).digest("base64url")}`;
}
