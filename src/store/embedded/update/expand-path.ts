import { shellText } from "../bson/shell-text.ts";
import type { Doc, Value } from "../bson/values.ts";
import { CommandError, notImplemented } from "../errors.ts";
import { conjuncts, type Filter } from "../query/filter.ts";
import { matches } from "../query/matches.ts";
import { type ParseExpression, parseFilter } from "../query/parse-filter.ts";
import { locate } from "./paths.ts";

/** The conditions named by `$[name]` in update paths. */
export interface ArrayFilters {
  test(name: string, item: Value): boolean;
  /** Throws when a filter is not used by any path, or a path names one that is not given. */
  requireUse(paths: readonly (readonly string[])[], update: Doc): void;
}

export function parseArrayFilters(
  filters: Value | undefined,
  parseExpression: ParseExpression,
): ArrayFilters {
  const byName = new Map<string, Filter>();
  for (const filter of Array.isArray(filters) ? filters : []) {
    if (!(filter instanceof Map)) throw new CommandError(14, "arrayFilters must be objects");
    const [path] = filter.keys();
    const name = path?.split(".")[0];
    if (name === undefined || name.startsWith("$"))
      throw notImplemented("an array filter that begins with an operator");
    if (byName.has(name)) {
      throw new CommandError(9, `Found multiple array filters with the same top-level field name ${name}`);
    }
    byName.set(name, parseFilter(filter, parseExpression));
  }
  return {
    test: (name, item) => matches(byName.get(name) as Filter, new Map([[name, item]])),
    requireUse: (paths, update) => {
      const used = new Set(paths.flat().flatMap((part) => /^\$\[(.+)\]$/.exec(part)?.[1] ?? []));
      for (const name of used) {
        if (!byName.has(name)) {
          throw new CommandError(
            2,
            `No array filter found for identifier '${name}' in path '${paths.find((path) => path.includes(`$[${name}]`))?.join(".")}'`,
          );
        }
      }
      for (const name of byName.keys()) {
        if (!used.has(name))
          throw new CommandError(
            9,
            `The array filter for identifier '${name}' was not used in the update ${shellText(update)}`,
          );
      }
    },
  };
}

/** The plain paths that one with `$`, `$[]` or `$[name]` stands for in this document. */
export function expandPath(
  document: Doc,
  parts: readonly string[],
  filter: Filter,
  arrayFilters: ArrayFilters,
): string[][] {
  const at = parts.findIndex((part) => part.startsWith("$"));
  if (at < 0) return [parts as string[]];
  const part = parts[at] as string;
  const before = parts.slice(0, at);
  const rest = parts.slice(at + 1);
  if (part === "$") {
    const index = positionOf(document, before, filter);
    return expandPath(document, [...before, String(index), ...rest], filter, arrayFilters);
  }
  const name = /^\$\[(.*)\]$/.exec(part)?.[1];
  if (name === undefined) {
    throw new CommandError(
      52,
      `The dollar ($) prefixed field '${part}' in '${parts.join(".")}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
    );
  }
  const array = locate(document, before, false)?.value;
  if (array === undefined) {
    throw new CommandError(
      2,
      `The path '${before.join(".")}' must exist in the document in order to apply array updates.`,
    );
  }
  if (!Array.isArray(array)) {
    throw new CommandError(
      2,
      `Cannot apply array updates to non-array element ${before.at(-1)}: ${String(array)}`,
    );
  }
  return array.flatMap((item, index) => {
    if (name !== "" && !arrayFilters.test(name, item)) return [];
    return expandPath(document, [...before, String(index), ...rest], filter, arrayFilters);
  });
}

/** The element that made the document match: the first for which the query's condition on this array holds. */
function positionOf(document: Doc, arrayPath: readonly string[], filter: Filter): number {
  const path = arrayPath.join(".");
  const conditions = conjuncts(filter).filter(
    (part) => part.kind === "field" && (part.path === path || part.path.startsWith(`${path}.`)),
  );
  if (conditions.length > 1) throw notImplemented("'$' with several conditions on its array");
  const array = locate(document, arrayPath, false)?.value;
  const [condition] = conditions;
  if (condition === undefined || !Array.isArray(array)) throw noMatch();
  const index = array.findIndex((item) => matches(condition, withArray(document, arrayPath, [item])));
  if (index < 0) throw noMatch();
  return index;
}

function withArray(document: Value, path: readonly string[], array: Value[]): Doc {
  const [first, ...rest] = path;
  const copy: Doc = new Map(document as Doc);
  if (first !== undefined)
    copy.set(first, rest.length === 0 ? array : withArray(copy.get(first) ?? null, rest, array));
  return copy;
}

function noMatch(): CommandError {
  return new CommandError(2, "The positional operator did not find the match needed from the query.");
}
