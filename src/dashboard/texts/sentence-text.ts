import { fillTemplate } from "./fill-template.ts";
import { numberText } from "./number-text.ts";
import { ownText } from "./own-text.ts";
import { t } from "./texts.ts";

/** A part of a text of the API. */
interface TextPart {
  readonly code: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * A result or reason of the API in the language of the page.
 * @param parts parts of the text; empty: it is known only in English; undefined: a core of an earlier release answered
 * @param english text of the server, for codes that are not in the catalog, and for missing params
 */
export function sentenceText(parts: readonly TextPart[] | undefined, english: string): string {
  const texts = (parts ?? []).map(textOfPart);
  return texts.length > 0 && texts.every((text) => text !== undefined) ? texts.join(" ") : english;
}

function textOfPart({ code, params = {} }: TextPart): string | undefined {
  const template = ownText(t.sentences.ofCodes, code);
  return template === undefined ? undefined : fillTemplate(template, params, show);
}

function show(value: unknown, table: string | undefined): string | undefined {
  if (typeof value === "number") return numberText(value);
  const entries: unknown[] = Array.isArray(value) ? value : [value];
  if (!entries.every((entry) => typeof entry === "string")) return undefined;
  if (table === undefined) return entries.join(", ");
  return entries.map((entry) => wordsOf(table, entry) ?? entry).join(t.sentences.and);
}

/**
 * Words for a value in the language of the page. The keys of some tables have placeholders, as `{name}: {reason:text}`.
 * @returns undefined: the value has no words
 */
export function wordsOf(table: string, entry: string): string | undefined {
  const words = ownText(t.sentences.words, table) ?? {};
  const exact = ownText(words, entry);
  if (exact !== undefined) return exact;
  for (const [key, template] of Object.entries(words)) {
    const params = key.includes("{") && patternOf(key).exec(entry)?.groups;
    if (params) return fillTemplate(template, params, show);
  }
  return undefined;
}

const patterns = new Map<string, RegExp>();

/** Pattern of a key of a table. A placeholder matches one word, and `{name:text}` any text. */
function patternOf(key: string): RegExp {
  const pattern = patterns.get(key) ?? createPattern(key);
  patterns.set(key, pattern);
  return pattern;
}

function createPattern(key: string): RegExp {
  const source = key
    .replace(/[.*+?^$()[\]\\|]/g, "\\$&")
    .replace(
      /\{(\w+)(:text)?\}/g,
      (_, name: string, kind?: string) => `(?<${name}>${kind ? ".+?" : "\\S+?"})`,
    );
  return new RegExp(`^${source}$`, "s");
}

/** A reason of the API in the language of the page. */
export function reasonText({
  reason,
  reason_parts,
}: {
  readonly reason: string;
  readonly reason_parts?: readonly TextPart[] | undefined;
}): string {
  return sentenceText(reason_parts, reason);
}
