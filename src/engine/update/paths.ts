import { shellText } from "../bson/shell-text.ts";
import type { Doc, Value } from "../bson/values.ts";
import { CommandError, notImplemented } from "../errors.ts";
import { isIndex } from "../query/matches.ts";

/** The target of a path in the document that is changed. */
export interface Target {
  readonly value: Value | undefined;
  readonly set: (value: Value) => void;
  readonly unset: () => void;
}

/**
 * Finds the target of a path. With `creates`, missing documents on the path are created when (and only when) `set` is called;
 * without it, undefined is returned if the path ends early.
 */
export function locate(root: Doc, parts: readonly string[], creates: boolean): Target | undefined {
  let container = root;
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] as string;
    const value = container.get(part);
    if (at === parts.length - 1 || (value === undefined && creates)) {
      const last = container;
      return {
        value: at === parts.length - 1 ? value : undefined,
        set: (next) => last.set(part, nested(parts.slice(at + 1), next)),
        unset: () => last.delete(part),
      };
    }
    if (value === undefined) return undefined;
    if (!(value instanceof Map)) return inside(value, parts, at + 1, creates);
    container = value;
  }
  return undefined;
}

function nested(parts: readonly string[], value: Value): Value {
  return parts.reduceRight<Value>((inner, part) => new Map([[part, inner]]), value);
}

/** A path continues below a value that is not a document. */
function inside(value: Value, parts: readonly string[], at: number, creates: boolean): undefined {
  const part = parts[at] as string;
  if (Array.isArray(value) && isIndex(part)) throw notImplemented("a position in an array");
  if (!creates) return undefined;
  throw new CommandError(
    28,
    `Cannot create field '${part}' in element {${parts[at - 1]}: ${shellText(value)}}`,
  );
}

/** MongoDB changes fields in this order, numbers by value: it decides the position of new fields. */
export function comparePaths(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const left = a[at] as string;
    const right = b[at] as string;
    if (left === right) continue;
    if (isIndex(left) && isIndex(right)) return Number(left) - Number(right);
    return left < right ? -1 : 1;
  }
  return a.length - b.length;
}
