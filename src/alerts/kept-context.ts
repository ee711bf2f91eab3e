import type { Alert } from "./alert.ts";

const MAX_ROWS = 100;
const MAX_BYTES = 8_192;
const MAX_TEXT = 500;
const MAX_DEPTH = 8;

/** What of a context stays with what fires, for mail and for silences: short values, and not too many of them. */
export function keptContext(context: Alert["context"]): Alert["context"] {
  const room = { rows: MAX_ROWS, bytes: MAX_BYTES };
  return copyOf(context, 1, room) as Alert["context"];
}

function copyOf(value: unknown, depth: number, room: { rows: number; bytes: number }): unknown {
  if (typeof value === "string") return value.slice(0, MAX_TEXT);
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return undefined;
  const copied: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    const copy = copyOf(inner, depth + 1, room);
    const bytes = name.length + (typeof copy === "object" ? 2 : String(copy).length);
    if (copy === undefined || room.rows <= 0 || room.bytes < bytes) continue;
    room.rows--;
    room.bytes -= bytes;
    copied.push([name, copy]);
  }
  return Array.isArray(value) ? copied.map(([, copy]) => copy) : Object.fromEntries(copied);
}

/** One line of a context, as people read it. */
export interface ContextRow {
  readonly name: string;
  readonly value: string;
}

/** Names of what lies within others are put together, as `host.name`. */
export function contextRows(context: Alert["context"], most: number): ContextRow[] {
  const rows: ContextRow[] = [];
  const add = (value: unknown, name: string): void => {
    if (rows.length >= most) return;
    if (typeof value !== "object" || value === null) {
      if (name !== "") rows.push({ name, value: String(value) });
      return;
    }
    for (const [inner, one] of Object.entries(value)) add(one, name === "" ? inner : `${name}.${inner}`);
  };
  add(context, "");
  return rows;
}
