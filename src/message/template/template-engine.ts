import {
  Context,
  Liquid,
  Parser,
  Tag,
  type Template,
  Token,
  TokenKind,
  type TopLevelToken,
  toValueSync,
} from "liquidjs";
import { BoundedCaptureTag, boundedEmitter, boundedOperators, boundFilters } from "./template-limits.ts";
import type { TemplateData, VariablePath } from "./template-variables.ts";

/** Characters of one part's source. */
export const MAX_TEMPLATE_LENGTH = 1_000_000;
/** Outputs and tags of one part. */
export const MAX_TAGS = 20_000;
/** Characters of all outputs and tags of one part. */
export const MAX_TAG_CHARACTERS = 200_000;
/** Rendering blocks the process; legitimate templates take a millisecond or two. */
const MAX_RENDER_MS = 500;
/** Characters and list items that filters may read and produce, in the counting of liquidjs. */
const MAX_MEMORY = 50_000_000;
/** They read other templates, from a disk or from each other: a template must be self-contained. */
const REFUSED_TAGS = ["include", "render", "layout", "block"];

export class TagNotAllowedError extends Error {}
export class TooManyTagsError extends Error {}

export interface TemplateEngine {
  readonly parse: (source: string) => readonly Template[];
  /** Variables that the data must provide, as far as their paths are literal. */
  readonly pathsIn: (parsed: readonly Template[]) => VariablePath[];
  readonly render: (parsed: readonly Template[], scope: TemplateData, maxLength: number) => string;
}

/** An engine without access to files, prototypes and the time zone of the host; with `escapeHtml` for html parts. */
export function createTemplateEngine({ escapeHtml }: { escapeHtml: boolean }): TemplateEngine {
  const liquid = new Liquid({
    ...(escapeHtml ? { outputEscape: "escape" as const } : {}),
    strictVariables: true,
    strictFilters: true,
    // `{% if nickname %}` and `{{ nickname
    // default: "you" }}` mark a variable as optional.
    lenientIf: true,
    ownPropertyOnly: true,
    // In-memory templates instead of a file system; there are none.
    templates: {},
    timezoneOffset: 0,
    locale: "en-US",
    parseLimit: MAX_TEMPLATE_LENGTH,
    renderLimit: MAX_RENDER_MS,
    memoryLimit: MAX_MEMORY,
    operators: boundedOperators,
  });
  boundFilters(liquid.filters);
  liquid.registerTag("capture", BoundedCaptureTag);
  for (const name of REFUSED_TAGS) liquid.registerTag(name, refusedTag(name));
  // liquidjs reads tags and filters as plain properties: `{% constructor %}` must find nothing.
  Object.setPrototypeOf(liquid.tags, null);
  Object.setPrototypeOf(liquid.filters, null);

  return {
    parse: (source) => new LinearParser(liquid).parse(source),
    pathsIn: (parsed) => liquid.globalVariableSegmentsSync([...parsed]).map(literalPath),
    render: (parsed, scope, maxLength) => {
      const context = new Context(scope, liquid.options, { sync: true }, { liquid });
      const emitter = boundedEmitter(maxLength);
      toValueSync(liquid.renderer.renderTemplates([...parsed], context, emitter));
      return emitter.buffer;
    },
  };
}

/** The most recent text, and the positions of its lines. */
let latest: { readonly text: string; readonly lineStarts: readonly number[] } = { text: "", lineStarts: [0] };

/**
 * Finds the line and column of a token, counted from 1. liquidjs counts from the start of the text for each listed variable: a
 * template of 200,000 outputs took minutes.
 */
Token.prototype.getPosition = function (this: Token): [number, number] {
  if (latest.text !== this.input) latest = { text: this.input, lineStarts: lineStartsOf(this.input) };
  const { lineStarts } = latest;
  let [low, high] = [0, lineStarts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lineStarts[middle] ?? 0) <= this.begin) low = middle;
    else high = middle - 1;
  }
  return [low + 1, this.begin - (lineStarts[low] ?? 0) + 1];
};

function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/**
 * Takes the next token in constant time. The parser removes the first element of an array for each, which moves all others:
 * 200,000 outputs took a minute.
 */
class LinearParser extends Parser {
  override parseTokens(tokens: TopLevelToken[]): Template[] {
    checkTags(tokens);
    return super.parseTokens(Object.assign(tokens.reverse(), { shift: Array.prototype.pop }));
  }
}

/** Parsing outputs and tags takes far longer than the text between them, and happens at each load of a template. */
function checkTags(tokens: readonly TopLevelToken[]): void {
  const tags = tokens.filter(({ kind }) => kind !== TokenKind.HTML);
  const characters = tags.reduce((sum, { begin, end }) => sum + end - begin, 0);
  if (tags.length > MAX_TAGS || characters > MAX_TAG_CHARACTERS) throw new TooManyTagsError();
}

function refusedTag(name: string) {
  return class extends Tag {
    constructor(...args: ConstructorParameters<typeof Tag>) {
      super(...args);
      throw new TagNotAllowedError(
        `the tag "${name}" is not available: a template cannot use other templates`,
      );
    }
    override render(): string {
      return "";
    }
  };
}

/** The path up to the first step that depends on another variable, as in `prices[currency]`. */
function literalPath(segments: readonly unknown[]): VariablePath {
  const path: (string | number)[] = [];
  for (const segment of segments) {
    if (typeof segment !== "string" && typeof segment !== "number") break;
    path.push(segment);
  }
  return path;
}
