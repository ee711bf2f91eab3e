import { shellText } from "../bson/shell-text.ts";
import type { Doc, Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { isIndex } from "../query/matches.ts";

/** As in MongoDB: a write far beyond the end of an array is refused rather than filled up with null. */
const MAX_PADDING = 1_500_000;

/** What a path leads to in the document that is being changed. */
export interface Target {
  value: Value | undefined;
  set(value: Value): void;
  /** Takes a field away; an array's element becomes null. */
  unset(): void;
}

/**
 * Finds where a path leads. With `create`, missing documents on the way are made when (and only when) `set` is called;
 * without it undefined is returned where the path ends early.
 */
export function locate(root: Doc, parts: readonly string[], create: boolean): Target | undefined {
  let container: Value = root;
  for (let at = 0; at < parts.length - 1; at++) {
    const next: Value | undefined = step(container, parts, at, create);
    if (next === undefined) return create ? missingBranch(container, parts, at) : undefined;
    container = next;
  }
  return target(container, parts, parts.length - 1, create);
}

function step(container: Value, parts: readonly string[], at: number, create: boolean): Value | undefined {
  const part = parts[at] as string;
  if (container instanceof Map) return container.get(part);
  if (Array.isArray(container) && isIndex(part)) return container[Number(part)];
  if (create) throw notViable(parts, at, container);
  return undefined;
}

function notViable(parts: readonly string[], at: number, container: Value): CommandError {
  return new CommandError(
    28,
    `Cannot create field '${parts[at]}' in element {${parts[at - 1] ?? ""}: ${shellText(container)}}`,
  );
}

function target(container: Value, parts: readonly string[], at: number, create: boolean): Target | undefined {
  const part = parts[at] as string;
  if (container instanceof Map) {
    return {
      value: container.get(part),
      set: (value) => container.set(part, value),
      unset: () => container.delete(part),
    };
  }
  if (Array.isArray(container) && isIndex(part)) {
    const index = Number(part);
    return {
      value: container[index],
      set: (value) => {
        if (index - container.length > MAX_PADDING) {
          throw new CommandError(2, `can't backfill more than ${MAX_PADDING} elements`);
        }
        while (container.length < index) container.push(null);
        container[index] = value;
      },
      unset: () => {
        if (index < container.length) container[index] = null;
      },
    };
  }
  if (create) throw notViable(parts, at, container);
  return undefined;
}

/** From `at` on nothing exists: setting builds the documents in between. */
function missingBranch(container: Value, parts: readonly string[], at: number): Target {
  const first = target(container, parts, at, true) as Target;
  return {
    value: undefined,
    set: (value) => {
      let branch = value;
      for (let part = parts.length - 1; part > at; part--)
        branch = new Map([[parts[part] as string, branch]]);
      first.set(branch);
    },
    unset: () => {},
  };
}

/** MongoDB changes fields in this order, numbers by value: it decides where new fields come to stand. */
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
