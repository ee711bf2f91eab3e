import type { ContentFault } from "../content.ts";

export type TemplatePart = "subject" | "html" | "text";

/** Reason why a template is refused. */
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

/** Reason why a template could not be rendered. */
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
  /** Position in that part, counted from 1. */
  readonly line?: number;
  readonly column?: number;
}

export interface TemplateRenderFault extends ContentFault<TemplateRenderFaultCode> {
  /** JSON pointer into the send request: into its data for a faulty variable, otherwise `/template`. */
  readonly pointer: string;
  readonly part?: TemplatePart;
  /** Dotted, as in the template. */
  readonly variable?: string;
}
