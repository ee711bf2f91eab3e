import {
  CaptureTag,
  type Context,
  defaultOperators,
  type Emitter,
  type FilterImplOptions,
  type Liquid,
} from "liquidjs";

/**
 * Limits that liquidjs does not have. It checks its time limit between two tags, but one tag can contain thousands of filters
 * and operators, and one of those can take hours: a list may contain itself repeatedly, and a search compares each character
 * with each. Templates of an account are rendered in the process that serves all accounts.
 */

/** Items of a list that a filter reads or produces, including the items of nested lists and objects. */
const MAX_LIST_ITEMS = 100_000;
/** Characters of the strings in such a list. */
const MAX_LIST_CHARACTERS = 20_000_000;
/** Length of a text times the length of the pattern in it; V8 makes 6,000,000,000 comparisons a second. */
const MAX_COMPARISONS = 1_000_000_000;
/** Characters in one `capture`: as many as a message may have. */
const MAX_CAPTURED = 5_000_000;
/** Filters that search their input for their first argument. */
const SEARCHING: ReadonlySet<string> = new Set([
  "split",
  "replace",
  "replace_first",
  "replace_last",
  "remove",
  "remove_first",
  "remove_last",
]);

export class OutputTooLargeError extends Error {}

type Handler = Extract<FilterImplOptions, (...given: never[]) => unknown>;

/** Wraps each filter with the limits of time, lists and searches. */
export function boundFilters(filters: Liquid["filters"]): void {
  for (const [name, filter] of Object.entries(filters)) {
    filters[name] =
      typeof filter === "function"
        ? boundedHandler(name, filter)
        : { ...filter, handler: boundedHandler(name, filter.handler) };
  }
}

function boundedHandler(name: string, handler: Handler): Handler {
  const isSearching = SEARCHING.has(name);
  return function (value, ...args) {
    checkTime(this.context);
    checkList(value);
    if (isSearching) checkSearch(value, args[0]);
    const result = handler.call(this, value, ...args);
    checkList(result);
    return result;
  };
}

/** The operators of conditions, with the limits of time and searches. */
export const boundedOperators = Object.fromEntries(
  Object.entries(defaultOperators).map(([name, operator]) => [
    name,
    (...given: unknown[]) => {
      // The context follows one or two operands.
      checkTime(given[given.length - 1] as Context);
      if (name === "contains") checkSearch(given[0], given[1]);
      return (operator as (...all: unknown[]) => unknown)(...given);
    },
  ]),
) as typeof defaultOperators;

/** An output that ends the rendering when it has too many characters. */
export function boundedEmitter(maxLength: number): Emitter {
  return {
    buffer: "",
    write(value: unknown) {
      this.buffer += asText(value);
      if (this.buffer.length > maxLength) throw new OutputTooLargeError("the output is too large");
    },
  };
}

/** `capture` with a separate limit: its content is not output yet. */
export class BoundedCaptureTag extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const emitter = boundedEmitter(MAX_CAPTURED);
    context.bottom()[this.variable] = yield this.liquid.renderer.renderTemplates(
      this.templates,
      context,
      emitter,
    );
  }
}

function asText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  return Array.isArray(value) ? value.map(asText).join("") : String(value);
}

function checkTime(context: Context): void {
  // The property is public in the library's code and private in its types.
  const { renderLimit } = context as unknown as { readonly renderLimit: { check(now: number): void } };
  renderLimit.check(performance.now());
}

/** Counts each item as often as the list contains it: a list nested twenty times has a million items. */
function checkList(value: unknown): void {
  if (!Array.isArray(value)) return;
  const pending: unknown[] = [value];
  let items = 0;
  let characters = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const inside = Array.isArray(next) ? next : Object.values(next as object);
    items += inside.length;
    if (items > MAX_LIST_ITEMS) throw new Error("list limit exceeded");
    for (const item of inside) {
      if (typeof item === "string") characters += item.length;
      else if (typeof item === "object" && item !== null) pending.push(item);
    }
    if (characters > MAX_LIST_CHARACTERS) throw new Error("list limit exceeded");
  }
}

function checkSearch(text: unknown, pattern: unknown): void {
  if (typeof text !== "string" || typeof pattern !== "string" || pattern.length > text.length) return;
  if (text.length * pattern.length > MAX_COMPARISONS) throw new Error("search limit exceeded");
}
