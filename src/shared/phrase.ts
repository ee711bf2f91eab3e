import { fillText } from "../../contracts/common/fault-texts/fault-texts.ts";
import {
  type SentenceCode,
  type SentenceParam,
  type SentenceParams,
  sentences,
  sentenceWords,
} from "../../contracts/common/sentences/sentences.ts";

/** A sentence, or the beginning of one, as an entry of the catalog. A stored part may have a code of another release. */
export interface TextPart {
  readonly code: string;
  /** Missing: the text has no params. */
  readonly params?: Readonly<Record<string, SentenceParam>>;
}

/** An English text with the parts that say it. */
export interface Phrase {
  readonly text: string;
  /** Empty for a text that a former release stored, which is only known in English. */
  readonly parts: readonly TextPart[];
}

export const NO_PHRASE: Phrase = { text: "", parts: [] };

/** Creates the phrase of one code: the only source of its English text. */
export function phrase<C extends SentenceCode>(
  code: C,
  ...[params]: keyof SentenceParams<C> extends never ? [] : [SentenceParams<C>]
): Phrase {
  const values = (params ?? {}) as Readonly<Record<string, SentenceParam>>;
  const part = Object.keys(values).length > 0 ? { code, params: values } : { code };
  return { text: englishOf(code, values), parts: [part] };
}

/** Joins phrases with spaces; empty and missing ones are left out. Without the parts of one of them, the whole has none. */
export function phrases(...list: readonly (Phrase | undefined | false)[]): Phrase {
  const given = list.filter((one): one is Phrase => one !== undefined && one !== false && one.text !== "");
  const isKnown = given.every(({ parts }) => parts.length > 0);
  return {
    text: given.map(({ text }) => text).join(" "),
    parts: isKnown ? given.flatMap(({ parts }) => parts) : [],
  };
}

/** An error with the parts of its message. */
export class PhraseError extends Error {
  readonly parts: readonly TextPart[];

  constructor({ text, parts }: Phrase, options?: ErrorOptions) {
    super(text, options);
    this.parts = parts;
  }
}

/**
 * Returns the message of an error with its parts. An error of the system has the part with its code, such as `ECONNREFUSED`. The
 * messages of other errors are known only in English.
 */
export function failurePhrase(error: unknown): Phrase {
  if (!(error instanceof Error)) return { text: String(error), parts: [] };
  if (error instanceof PhraseError) return { text: error.message, parts: error.parts };
  const { message, code }: Error & { readonly code?: unknown } = error;
  if (typeof code !== "string") return { text: message || error.name, parts: [] };
  return phrase("system.failure", { detail: message || code, cause: code });
}

/** The detail of an event, with its parts. */
export const detailFields = ({ text, parts }: Phrase) => ({ detail: text, detailParts: parts });

function englishOf(code: SentenceCode, params: Readonly<Record<string, SentenceParam>>): string {
  const tables: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> = sentenceWords;
  return fillText(sentences[code], (name, table) => {
    const value = params[name] ?? "";
    if (table === undefined) return typeof value === "object" ? value.join(", ") : String(value);
    if (table === "number") return Number(value).toLocaleString("en");
    const words = tables[table];
    if (words === undefined) return "";
    const entries = typeof value === "object" ? value : [String(value)];
    return entries.map((entry) => (Object.hasOwn(words, entry) ? words[entry] : entry)).join(" and ");
  });
}
