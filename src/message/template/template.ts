import { LiquidError, type Template } from "liquidjs";
import { type FaultText, say } from "../../shared/fault-text.ts";
import { isResourceName } from "../../shared/resource-name.ts";
import { parseFromMailbox } from "../address/from-field.ts";
import type { Mailbox } from "../content.ts";
import { checkSubject } from "../header/header-fields.ts";
import {
  createTemplateEngine,
  MAX_TAG_CHARACTERS,
  MAX_TAGS,
  MAX_TEMPLATE_LENGTH,
  TagNotAllowedError,
  type TemplateEngine,
  TooManyTagsError,
} from "./template-engine.ts";
import type { TemplateCompileFault, TemplatePart, TemplateRenderFault } from "./template-fault.ts";
import { OutputTooLargeError } from "./template-limits.ts";
import {
  applyVariables,
  checkVariables,
  compareUses,
  missingPaths,
  missingVariable,
  type TemplateData,
  type TemplateVariable,
  type VariablePath,
  type VariableUses,
} from "./template-variables.ts";

/** A stored template with Liquid in subject, html and text. */
export interface TemplateSource {
  readonly name: string;
  /** A mailbox, used literally. */
  readonly from?: string;
  readonly subject: string;
  readonly html?: string;
  readonly text?: string;
  readonly variables: readonly TemplateVariable[];
}

/** Input of `renderTemplate`. Immutable and shareable. */
export interface CompiledTemplate {
  readonly name: string;
  readonly from?: Mailbox;
  readonly variables: readonly TemplateVariable[];
  /** Every variable that the template reads from the data, dotted. */
  readonly usedVariables: readonly string[];
  /** The parsed parts, for internal use. */
  readonly parts: readonly CompiledPart[];
}

interface CompiledPart {
  readonly part: TemplatePart;
  readonly engine: TemplateEngine;
  readonly parsed: readonly Template[];
  readonly paths: readonly VariablePath[];
}

export interface RenderedTemplate {
  readonly from?: Mailbox;
  readonly subject: string;
  readonly html?: string;
  readonly text?: string;
}

export interface RenderTemplateOptions {
  /** Maximum size of each rendered part. */
  readonly maxOutputBytes?: number;
}

export type CompileTemplateResult =
  | { readonly ok: true; readonly template: CompiledTemplate }
  | { readonly ok: false; readonly faults: readonly TemplateCompileFault[] };

export type RenderTemplateResult =
  | { readonly ok: true; readonly rendered: RenderedTemplate }
  | { readonly ok: false; readonly faults: readonly TemplateRenderFault[] };

const DEFAULT_MAX_OUTPUT_BYTES = 5 * 1024 * 1024;

// Engines contain only settings.
const htmlEngine = createTemplateEngine({ escapeHtml: true });
const textEngine = createTemplateEngine({ escapeHtml: false });

/** Findings for the author before a template is published. */
export interface TemplateInspection extends VariableUses {
  readonly faults: readonly TemplateCompileFault[];
}

/** Inspects a template that may have faults; variables come from the parts without faults. */
export function inspectTemplate(source: TemplateSource): TemplateInspection {
  const { faults, parts } = compileParts(source);
  return { faults, ...usesIn(source, parts) };
}

/** Compiles and inspects a text in progress, and parses it once. */
export function examineTemplate(source: TemplateSource): {
  readonly compiled: CompileTemplateResult;
  readonly uses: VariableUses;
} {
  const found = compileParts(source);
  return { compiled: compiled(source, found), uses: usesIn(source, found.parts) };
}

function usesIn({ variables }: TemplateSource, parts: readonly CompiledPart[]): VariableUses {
  return compareUses(
    variables,
    parts.flatMap(({ paths }) => paths),
  );
}

/** Compiles a template once, so that rendering can only fail because of its data. Reports every fault. */
export function compileTemplate(source: TemplateSource): CompileTemplateResult {
  return compiled(source, compileParts(source));
}

function compiled(
  source: TemplateSource,
  { faults, parts, from }: ReturnType<typeof compileParts>,
): CompileTemplateResult {
  if (faults.length > 0) return { ok: false, faults };
  const template = {
    name: source.name,
    ...(from ? { from } : {}),
    variables: source.variables,
    usedVariables: [...new Set(parts.flatMap(({ paths }) => paths.map((path) => path.join("."))))],
    parts,
  };
  return { ok: true, template };
}

/** The compiled parts, and all faults of the others. */
function compileParts(source: TemplateSource) {
  const faults = [...checkVariables(source.variables)];
  if (!isResourceName(source.name)) {
    const message = say("template_name");
    faults.push({ code: "template.name_invalid", pointer: "/name", message });
  }
  const from = source.from === undefined ? undefined : parseFromMailbox(source.from);
  if (from && !from.ok)
    faults.push({ code: "template.from_invalid", pointer: "/from", message: from.message });
  if (!source.html && !source.text) {
    const message = say("template_needs_html_text_both");
    faults.push({ code: "template.body_missing", pointer: "/html", message });
  }
  const parts: CompiledPart[] = [];
  for (const part of ["subject", "html", "text"] as const) {
    const partSource = source[part];
    if (partSource === undefined) continue;
    const result = compilePart(part, partSource);
    if ("code" in result) faults.push(result);
    else parts.push(result);
  }
  return { faults, parts, from: from?.ok ? from.mailbox : undefined };
}

/**
 * Renders a template. In html, `{{ x }}` is escaped and `{{ x
 * raw }}` is not; subject and text are never escaped. A declared variable uses its fallback when it is absent or null; an
 * undeclared one is required, unless `if` or `default` makes it optional. All missing ones are reported together.
 */
export function renderTemplate(
  template: CompiledTemplate,
  data: TemplateData,
  { maxOutputBytes = DEFAULT_MAX_OUTPUT_BYTES }: RenderTemplateOptions = {},
): RenderTemplateResult {
  const { scope, faults } = applyVariables(template.variables, data);
  if (faults.length > 0) return { ok: false, faults };
  const rendered: Partial<Record<TemplatePart, string>> = {};
  for (const { part, engine, parsed } of template.parts) {
    try {
      const output = engine.render(parsed, scope, maxOutputBytes);
      if (Buffer.byteLength(output) > maxOutputBytes) throw new OutputTooLargeError();
      rendered[part] = output;
    } catch (error) {
      return { ok: false, faults: renderFaults(error, part, template, scope) };
    }
  }
  const { subject = "", html, text } = rendered;
  const fault = checkSubject(subject);
  if (fault) {
    const { message } = fault;
    return {
      ok: false,
      faults: [{ code: "template.subject_invalid", part: "subject", pointer: "/template", message }],
    };
  }
  const { from } = template;
  return {
    ok: true,
    rendered: {
      subject,
      ...(from === undefined ? {} : { from }),
      ...(html === undefined ? {} : { html }),
      ...(text === undefined ? {} : { text }),
    },
  };
}

function compilePart(part: TemplatePart, source: string): CompiledPart | TemplateCompileFault {
  const pointer = `/${part}`;
  if (source.length > MAX_TEMPLATE_LENGTH) {
    const message = say("part_longer_than_characters", { part, max: MAX_TEMPLATE_LENGTH });
    return { code: "template.too_large", pointer, message };
  }
  const engine = part === "html" ? htmlEngine : textEngine;
  try {
    const parsed = engine.parse(source);
    return { part, engine, parsed, paths: engine.pathsIn(parsed) };
  } catch (error) {
    const cause = causeOf(error);
    if (cause instanceof TooManyTagsError) {
      const message = say("too_many_tags", { part, max: MAX_TAGS, max_characters: MAX_TAG_CHARACTERS });
      return { code: "template.too_large", pointer, message };
    }
    if (!isLiquidError(error) || cause instanceof RangeError) {
      return { code: "template.syntax", pointer, message: say("tags_nested_too_deeply") };
    }
    const [line = 1, column = 1] = error.token.getPosition();
    const code = cause instanceof TagNotAllowedError ? "template.tag_not_allowed" : "template.syntax";
    return { code, pointer, line, column, message: sentence(error) };
  }
}

function renderFaults(
  error: unknown,
  part: TemplatePart,
  template: CompiledTemplate,
  scope: TemplateData,
): TemplateRenderFault[] {
  const cause = causeOf(error);
  const at = { part, pointer: "/template" } as const;
  if (cause instanceof OutputTooLargeError) {
    return [{ code: "template.output_too_large", ...at, message: say("part_output_too_large", { part }) }];
  }
  if (cause instanceof RangeError) {
    return [{ code: "template.limit_exceeded", ...at, message: say("part_too_deep", { part }) }];
  }
  if (!(cause instanceof Error) || !("variableName" in cause)) {
    const message = sentence(error);
    const code = / limit exceeded/.test(message.text) ? "template.limit_exceeded" : "template.render_failed";
    return [{ code, ...at, message }];
  }
  const used = template.parts.flatMap(({ paths }) => paths);
  const missing = missingPaths(used, scope);
  const first = String(cause.variableName);
  if (!missing.some((path) => `${path.join(".")}.`.startsWith(`${first}.`))) {
    // Within a loop the name is the template's, and gives no position in the data.
    return [{ part, ...missingVariable(first.split("."), "/template_data") }];
  }
  const distinct = new Map(missing.map((path) => [path.join("."), path]));
  return [...distinct.values()].map((path) => missingVariable(path));
}

function isLiquidError(error: unknown): error is LiquidError {
  return LiquidError.is(error);
}

function causeOf(error: unknown): unknown {
  return isLiquidError(error) ? (error.originalError ?? error) : error;
}

/** Text of liquidjs, without the appended position. */
function sentence(error: unknown): FaultText {
  if (!(error instanceof Error)) return say("template_could_not_rendered");
  const message = error.message.replace(/, line:\d+, col:\d+$/, "");
  return say("template_engine", { detail: `${message.charAt(0).toUpperCase()}${message.slice(1)}` });
}
