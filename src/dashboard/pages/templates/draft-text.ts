import type { Template, TextBody } from "../../api/templates.ts";

/** A declared variable as the form has it. */
export interface VariableRow {
  /** Identifies the row while its name changes. */
  readonly key: number;
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** The text itself for the type `string`, JSON for the others. */
  readonly fallback: string;
}

/** Contents of a template as the editor has them; empty: the template has no such part. */
export interface DraftText {
  readonly from: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly variables: readonly VariableRow[];
}

export const textParts = ["subject", "html", "text"] as const;
export type TextPart = (typeof textParts)[number];

type Content = Template["content"];

export const textOf = ({ from = "", subject, html = "", text = "", variables }: Content): DraftText => ({
  from,
  subject,
  html,
  text,
  variables: variables.map(({ name, type, fallback }, key) => ({
    key,
    name,
    type,
    isRequired: fallback === undefined,
    fallback: fallbackText(type, fallback),
  })),
});

function fallbackText(type: string, fallback: unknown): string {
  if (fallback === undefined) return "";
  return type === "string" && typeof fallback === "string" ? fallback : JSON.stringify(fallback);
}

/** The contents in the form of requests. */
export function bodyOf({ from, subject, html, text, variables }: DraftText): TextBody {
  return {
    ...(from !== "" && { from }),
    subject,
    ...(html !== "" && { html }),
    ...(text !== "" && { text }),
    variables: variables.map((row) => ({
      name: row.name,
      type: row.type,
      ...(!row.isRequired && { fallback: fallbackOf(row) }),
    })),
  };
}

function fallbackOf({ type, fallback }: VariableRow): unknown {
  if (type === "string") return fallback;
  try {
    return JSON.parse(fallback);
  } catch {
    // The server reports the wrong type of the text.
    return fallback;
  }
}

export const isSame = (one: DraftText, other: DraftText): boolean =>
  one === other || JSON.stringify(bodyOf(one)) === JSON.stringify(bodyOf(other));

/** A variable in a new row. */
export function withVariable(rows: readonly VariableRow[], name: string): readonly VariableRow[] {
  const key = Math.max(-1, ...rows.map((row) => row.key)) + 1;
  return [...rows, { key, name, type: "string", isRequired: true, fallback: "" }];
}

interface FieldPair {
  readonly field: "from" | TextPart | "variables";
  readonly theirs: string;
  readonly yours: string;
}

/** The fields in which two texts differ. Each variable is one line. */
export function differingFields(theirs: DraftText, yours: DraftText): readonly FieldPair[] {
  const fields = ["from", ...textParts, "variables"] as const;
  return fields
    .map((field) => ({ field, theirs: fieldText(theirs, field), yours: fieldText(yours, field) }))
    .filter((pair) => pair.theirs !== pair.yours);
}

function fieldText(text: DraftText, field: FieldPair["field"]): string {
  if (field !== "variables") return text[field];
  return (bodyOf(text).variables ?? []).map((variable) => JSON.stringify(variable)).join("\n");
}
