import { clippedJson, type JsonCapacity } from "../shared/clip-json.ts";
import type { Alert } from "./alert.ts";

const KEPT: JsonCapacity = { values: 100, characters: 8_192, text: 500, depth: 8 };

/**
 * Part of a context that is stored with an active alert, for e-mails and silences. The number and length of its values are
 * limited.
 */
export function keptContext(context: Alert["context"]): {
  readonly context: Alert["context"];
  /** The part is the whole context. */
  readonly isWhole: boolean;
} {
  const { copy, isWhole } = clippedJson(context, KEPT);
  return { context: copy as Alert["context"], isWhole };
}

/** Row of a context, for display. */
export interface ContextRow {
  readonly name: string;
  readonly value: string;
}

/** Nested names are joined, such as `host.name`. */
export function contextRows(context: Alert["context"]): ContextRow[] {
  const rows: ContextRow[] = [];
  const add = (value: unknown, name: string): void => {
    if (typeof value !== "object" || value === null) {
      if (name !== "") rows.push({ name, value: String(value) });
      return;
    }
    for (const [inner, one] of Object.entries(value)) add(one, name === "" ? inner : `${name}.${inner}`);
  };
  add(context, "");
  return rows;
}
