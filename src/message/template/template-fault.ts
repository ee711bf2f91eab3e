import type { ContentFault } from "../content.ts";

export type TemplatePart = "subject" | "html" | "text";

/** Why a template is not accepted. */
export type TemplateCompileFaultCode =
  | "template.name_invalid"
  | "template.from_invalid"
  | "template.body_missing"
  | "template.too_large"
  | "template.syntax"
  | "template.tag_not_allowed"
  | "template.variable_name_invalid"
  | "template.variable_duplicate"
  | "template.fallback_type";

/** Why a template could not be filled in. */
export type TemplateRenderFaultCode =
  | "template.variable_missing"
  | "template.variable_type"
  | "template.subject_invalid"
  | "template.output_too_large"
  | "template.limit_exceeded"
  | "template.render_failed";

export interface TemplateCompileFault extends ContentFault<TemplateCompileFaultCode> {
  /** JSON pointer into the template, such as `/html` or `/variables/2/name`. */
  readonly pointer: string;
  /** Where in that part, both counted from 1. */
  readonly line?: number;
  readonly column?: number;
}

export interface TemplateRenderFault extends ContentFault<TemplateRenderFaultCode> {
  /** JSON pointer into the send request: into its data where a variable is at fault, else `/template`. */
  readonly pointer: string;
  readonly part?: TemplatePart;
  /** Dotted, as the template writes it. */
  readonly variable?: string;
}
