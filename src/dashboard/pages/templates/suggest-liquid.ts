import type { Suggestions } from "../../parts/code-editor.tsx";
import { liquidFilters, liquidTags } from "./liquid-words.ts";

const MAX_LEVELS = 3;
const MAX_PATHS = 300;

/**
 * Suggestions for the place before which a text ends: tags, filters or variables within an output or a tag of Liquid.
 * @returns undefined outside of them
 */
export function suggestLiquid(before: string, variables: readonly string[]): Suggestions | undefined {
  const open = Math.max(before.lastIndexOf("{{"), before.lastIndexOf("{%"));
  if (open < 0) return undefined;
  const inside = before.slice(open + 2);
  if (/[%}]\}/.test(inside)) return undefined;
  const tag = /^-?\s*(\w*)$/.exec(inside);
  if (before[open + 1] === "%" && tag) return suggestionsOf(tag[1], liquidTags, "keyword");
  const filter = /\|\s*(\w*)$/.exec(inside);
  if (filter) return suggestionsOf(filter[1], liquidFilters, "function");
  // Texts in quotes have no suggestions.
  if (isInQuotes(inside)) return undefined;
  return suggestionsOf(/[\w.]*$/.exec(inside)?.[0], variables, "variable");
}

function isInQuotes(inside: string): boolean {
  let quote = "";
  for (const character of inside) {
    if (quote === "" && (character === '"' || character === "'")) quote = character;
    else if (character === quote) quote = "";
  }
  return quote !== "";
}

function suggestionsOf(typed: string | undefined, labels: readonly string[], kind: string): Suggestions {
  return { length: typed?.length ?? 0, words: labels.map((label) => ({ label, kind })) };
}

/** Paths of the values in an object, such as `user.name`. Lists have no paths below them. */
export function pathsIn(data: Readonly<Record<string, unknown>>): readonly string[] {
  const paths: string[] = [];
  const add = (values: Readonly<Record<string, unknown>>, prefix: string, level: number): void => {
    for (const [name, value] of Object.entries(values)) {
      if (paths.length >= MAX_PATHS) return;
      if (!/^\w+$/.test(name)) continue;
      paths.push(prefix + name);
      if (level < MAX_LEVELS && typeof value === "object" && value !== null && !Array.isArray(value))
        add(value as Readonly<Record<string, unknown>>, `${prefix}${name}.`, level + 1);
    }
  };
  add(data, "", 1);
  return paths;
}
