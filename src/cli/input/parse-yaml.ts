import type { JsonObject } from "@bufbuild/protobuf";
import { type Document, parseAllDocuments, type YAMLParseError } from "yaml";
import { InputError } from "./read-options.ts";

/** Limit against a text that expands without bound when it is parsed. */
const MAX_ALIASES = 100;

/**
 * Parses a YAML or JSON text with one object, a list of objects, or several documents; `name` is the name of the file, for
 * error messages.
 * @throws InputError with line and column of the first mistake
 */
export function parseYamlObjects(text: string, name: string): JsonObject[] {
  // A file may end with a line of three dashes and an empty document after it.
  const values = [...parseAllDocuments(text)].map((document) => readDocument(document, name));
  const objects = values.filter((value) => value !== null).flat();
  const isObject = (one: unknown) => typeof one === "object" && one !== null && !Array.isArray(one);
  if (objects.length === 0 || !objects.every(isObject))
    throw new InputError(`${name} must hold an object or a list of objects.`);
  return objects as JsonObject[];
}

function readDocument(document: Document, name: string): unknown {
  const [mistake] = document.errors;
  if (mistake) throw new InputError(`${name} is not valid YAML: ${describeMistake(mistake)}.`);
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (cause) {
    // The only other reason: aliases expand too often.
    const isUnknown = cause instanceof ReferenceError && cause.message.startsWith("Unresolved alias");
    const problem = isUnknown
      ? "an alias refers to an anchor that is not defined before it"
      : "its aliases expand too often";
    throw new InputError(`${name} is not valid YAML: ${problem}.`, { cause });
  }
}

function describeMistake({ message, linePos }: YAMLParseError): string {
  const [position] = linePos ?? [];
  const [sentence = ""] = message.split("\n", 1);
  const problem = sentence.replace(/ at line \d+, column \d+:$/, "");
  return position ? `line ${position.line}, column ${position.col}: ${problem}` : problem;
}
