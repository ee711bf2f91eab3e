import {
  Context,
  type Emitter,
  Liquid,
  Parser,
  Tag,
  type Template,
  type TopLevelToken,
  toValueSync,
} from "liquidjs";
import type { TemplateData, VariablePath } from "./template-variables.ts";

/** Characters of one part's source. */
export const MAX_TEMPLATE_LENGTH = 1_000_000;
/** Rendering blocks the process; honest templates take a millisecond or two. */
const MAX_RENDER_MS = 500;
/** Characters and list items that filters may produce, as liquidjs counts them. */
const MAX_MEMORY = 50_000_000;
/** They read other templates, by name from a disk or from each other: one template stands alone here. */
const REFUSED_TAGS = ["include", "render", "layout", "block"];

export class TagNotAllowedError extends Error {}
export class OutputTooLargeError extends Error {}

export interface TemplateEngine {
  readonly parse: (source: string) => readonly Template[];
  /** The variables that the data has to provide, as far as their paths are written out. */
  readonly pathsIn: (parsed: readonly Template[]) => VariablePath[];
  readonly render: (parsed: readonly Template[], scope: TemplateData, maxLength: number) => string;
}

/** An engine that reaches no file, no prototype and no clock zone of the host; with `escapeHtml` for html parts. */
export function createTemplateEngine({ escapeHtml }: { escapeHtml: boolean }): TemplateEngine {
  const liquid = new Liquid({
    ...(escapeHtml ? { outputEscape: "escape" as const } : {}),
    strictVariables: true,
    strictFilters: true,
    // `{% if nickname %}` and `{{ nickname | default: "you" }}` are how a template says that it can do without.
    lenientIf: true,
    ownPropertyOnly: true,
    // In-memory templates in place of a file system; there are none.
    templates: {},
    timezoneOffset: 0,
    locale: "en-US",
    parseLimit: MAX_TEMPLATE_LENGTH,
    renderLimit: MAX_RENDER_MS,
    memoryLimit: MAX_MEMORY,
  });
  for (const name of REFUSED_TAGS) liquid.registerTag(name, refusedTag(name));
  // liquidjs looks tags and filters up as plain properties: `{% constructor %}` must find nothing.
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

/**
 * Takes the next token in constant time. The parser takes the first element of an array away for each, which moves all others where
 * there are many: 200,000 outputs took a minute.
 */
class LinearParser extends Parser {
  override parseTokens(tokens: TopLevelToken[]): Template[] {
    return super.parseTokens(Object.assign(tokens.reverse(), { shift: Array.prototype.pop }));
  }
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

/** liquidjs bounds time and memory, not what is written; a loop in a loop writes gigabytes within both. */
function boundedEmitter(maxLength: number): Emitter {
  return {
    buffer: "",
    write(value: unknown) {
      this.buffer += asText(value);
      if (this.buffer.length > maxLength) throw new OutputTooLargeError("the output is too large");
    },
  };
}

function asText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  return Array.isArray(value) ? value.map(asText).join("") : String(value);
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
