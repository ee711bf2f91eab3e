import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { findJsonFault } from "./find-json-fault.ts";
import { InputError } from "./read-options.ts";

/**
 * Parses a text with a JSON object; `name` is the name of the file, for error messages.
 * @throws InputError with line and column of the first mistake.
 */
export function parseJsonObject(text: string, name: string): JsonObject {
  const value = parse(text, name);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InputError(`${name} must hold one JSON object.`);
  }
  return value;
}

function parse(text: string, name: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    const found = findJsonFault(text);
    if (!found) throw new InputError(`${name} is not valid JSON.`, { cause });
    const { line, column } = positionOf(text, found.offset);
    throw new InputError(`${name} is not valid JSON: line ${line}, column ${column}: ${found.problem}.`, {
      cause,
    });
  }
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: [...(before.at(-1) ?? "")].length + 1 };
}
