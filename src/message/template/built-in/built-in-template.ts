import type { TemplateSource } from "../template.ts";
import type { TemplateData } from "../template-variables.ts";

/** A template that is part of Hermod, for accounts to copy. */
export interface BuiltInTemplate {
  readonly title: string;
  /** Purpose, as one sentence. */
  readonly description: string;
  readonly template: TemplateSource;
  /** A value for each variable. */
  readonly example: TemplateData;
}

/** @param fallback missing: the variable is required */
export function textVariable(name: string, fallback?: string) {
  return { name, type: "string", ...(fallback !== undefined && { fallback }) } as const;
}

/** Variables of every mail: the product in its head, and the address for questions in its foot. */
export const productVariables = [
  textVariable("product_name"),
  textVariable("product_url"),
  textVariable("support_email"),
] as const;

export const productExample = {
  product_name: "Acme",
  product_url: "https://acme.example.com",
  support_email: "support@acme.example.com",
} as const;

/** Last lines of the text part. @param reason for the mail, as a sentence */
export function textFoot(reason: string): string {
  return `--
${reason}
Questions? Write to {{ support_email }}.
{{ product_name }}: {{ product_url }}
`;
}

/** First line of a mail, with the recipient's name if there is one. */
export const GREETING = `{% if name != "" %}Hi {{ name }},{% else %}Hi,{% endif %}`;
