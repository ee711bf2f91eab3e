import type { Doc } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { conjuncts, type Filter } from "../query/filter.ts";
import { locate } from "./paths.ts";

/** The document that an upsert begins with: the fields for which the query gives one value. */
export function upsertDocument(filter: Filter): Doc {
  const document: Doc = new Map();
  const seen = new Set<string>();
  for (const part of conjuncts(filter)) {
    if (part.kind === "or" && part.filters.length === 1 && part.filters[0] !== undefined) {
      for (const [name, value] of upsertDocument(part.filters[0])) document.set(name, value);
      continue;
    }
    if (part.kind !== "field") continue;
    const { test } = part;
    const value =
      test.op === "eq"
        ? test.value
        : test.op === "in" && test.values.length === 1 && test.regexes.length === 0
          ? test.values[0]
          : undefined;
    if (value === undefined) continue;
    if (seen.has(part.path)) {
      throw new CommandError(54, `cannot infer query fields to set, path '${part.path}' is matched twice`);
    }
    seen.add(part.path);
    locate(document, part.parts, true)?.set(value);
  }
  return document;
}
