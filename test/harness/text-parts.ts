import { expect } from "vitest";
import { type Phrase, phrase, phrases, type TextPart } from "../../src/shared/phrase.ts";

/** The English text of parts, as the catalog has it. */
export function englishOf(parts: readonly TextPart[]): string {
  const say = phrase as unknown as (code: string, params: TextPart["params"]) => Phrase;
  return phrases(...parts.map(({ code, params }) => say(code, params ?? {}))).text;
}

/**
 * Expects that each text with parts is the English text of these parts, anywhere in an answer.
 * @returns the codes of the parts, in order
 */
export function expectTextsOfParts(answer: unknown): string[] {
  if (Array.isArray(answer)) return answer.flatMap(expectTextsOfParts);
  if (typeof answer !== "object" || answer === null) return [];
  const fields = answer as Readonly<Record<string, unknown>>;
  return Object.entries(fields).flatMap(([name, value]) => {
    const [, field] = /^(\w*?)(?:_parts|Parts|parts)$/.exec(name) ?? [];
    if (field === undefined || !Array.isArray(value)) return expectTextsOfParts(value);
    const parts: readonly TextPart[] = value;
    if (parts.length > 0) expect(fields[field || "text"]).toBe(englishOf(parts));
    return parts.map(({ code }) => code);
  });
}
