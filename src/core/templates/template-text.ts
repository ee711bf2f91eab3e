import {
  type CompileTemplateResult,
  compileTemplate,
  type RenderedTemplate,
  renderTemplate,
  type TemplateSource,
} from "../../message/template/template.ts";
import type { TemplateCompileFault, TemplateRenderFault } from "../../message/template/template-fault.ts";
import type { TemplateData } from "../../message/template/template-variables.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { type FaultText, say } from "../../shared/fault-text.ts";
import type { Store } from "../../store/store.ts";
import { findData } from "./find-data.ts";
import { readData } from "./read-definition.ts";
import { type FoundTemplate, findTemplate, workingText } from "./template-state.ts";

/** One of the texts of a template. */
export interface TemplateText {
  readonly definition: TemplateSource;
  /** undefined: it is the draft. */
  readonly version: number | undefined;
}

/** Version number as written by callers. */
const VERSION = /^[1-9]\d{0,8}$/;

/**
 * Finds the text of a request.
 * @param which a version number, `draft` or `published`; empty: the draft, or the published version if there is no
 *   draft
 * @param at its pointer in the request
 * @throws Fault request.validation_failed, template.version_not_found
 */
export async function findText(
  { account, state }: FoundTemplate,
  name: string,
  which: string,
  at: string,
): Promise<TemplateText> {
  const { published, head } = state;
  const draft = head?.draft && { definition: head.draft, version: undefined };
  switch (which) {
    case "":
      return draft ?? published ?? { definition: emptyText(state, name), version: undefined };
    case "draft":
      if (!draft) throw versionUnknown(say("no_draft", { name }));
      return draft;
    case "published":
      if (!published) throw versionUnknown(say("no_published_version", { name }));
      return published;
  }
  if (!VERSION.test(which)) {
    const message = say("no_version_number", { given: which });
    throw validationFault([{ pointer: at, code: "field.invalid", message }]);
  }
  const version = await account.templates.findVersion(name, Number(which));
  if (!version) throw versionUnknown(say("no_version", { name, version: which }));
  return version;
}

function emptyText(state: FoundTemplate["state"], name: string): TemplateSource {
  return workingText(state) ?? { name, subject: "", variables: [] };
}

export function versionUnknown(text: FaultText) {
  return fault("template.version_not_found", { public: text });
}

/** Data with which a text is rendered. */
interface FillRequest {
  readonly accountId: string;
  readonly name: string;
  readonly version: string;
  readonly dataJson?: string | undefined;
  /** Name of a data set; empty: none. */
  readonly dataSet: string;
}

export type Filled =
  | { readonly ok: true; readonly rendered: RenderedTemplate }
  | { readonly ok: false; readonly faults: readonly (TemplateCompileFault | TemplateRenderFault)[] };

export type FilledText = { readonly text: TemplateText } & Filled;

export interface FillOptions {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly limits: { readonly bodyBytes: number };
}

/**
 * Renders a text with the data of the request, or with the test data if it has none; pointers of faults lead into
 * `/data`.
 * @throws Fault account.unknown, template.not_found, template.version_not_found, request.validation_failed
 */
export function createFillTemplate({ store, limits }: FillOptions) {
  return async (request: FillRequest): Promise<FilledText> => {
    const { name, version } = request;
    const found = await findTemplate(store, request);
    const text = await findText(found, name, version, "/version");
    const data = readData(findData(found.state, request), "/data");
    return { text, ...fillIn(compileTemplate(text.definition), data, limits.bodyBytes) };
  };
}

/** Renders a compiled text; pointers of faults lead into the text or into `/data`. */
export function fillIn(compiled: CompileTemplateResult, data: TemplateData, maxOutputBytes: number): Filled {
  if (!compiled.ok) return { ok: false, faults: compiled.faults };
  const result = renderTemplate(compiled.template, data, { maxOutputBytes });
  if (result.ok) return { ok: true, rendered: result.rendered };
  const faults = result.faults.map((one) => ({
    ...one,
    pointer: one.pointer.replace(/^\/template_data/, "/data"),
  }));
  return { ok: false, faults };
}
