import { expect } from "vitest";
import type { CheckResult, Evaluation } from "../../src/intel/check-result.ts";
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

/** Expects that each text of a check's result is the English text of its parts. @returns the result */
export function withParts<Result extends Evaluation & Partial<CheckResult>>(result: Result): Result {
  const { observed, observedParts = [], expected, expectedParts = [], fix } = result;
  expect(englishOf(observedParts)).toBe(observed);
  if (expected !== undefined) expect(englishOf(expectedParts)).toBe(expected);
  if (fix) expect(englishOf(fix.textParts ?? [])).toBe(fix.text);
  return result;
}
