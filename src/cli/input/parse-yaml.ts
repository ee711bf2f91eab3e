import type { JsonObject } from "@bufbuild/protobuf";
import { type Document, parseAllDocuments, type YAMLParseError } from "yaml";
import { InputError } from "./read-options.ts";

/** More of them stand for a text that only grows when it is read. */
const MAX_ALIASES = 100;

/**
 * The objects in a YAML text, of which JSON is a part: one, a list of them, or several documents; `name` is the file's, for
 * messages.
 * @throws InputError with line and column of the first mistake
 */
export function parseYamlObjects(text: string, name: string): JsonObject[] {
  // A file may end with a line of three dashes, behind which there is nothing.
  const values = [...parseAllDocuments(text)].map((document) => readDocument(document, name));
  const objects = values.filter((value) => value !== null).flat();
  const isObject = (one: unknown) => typeof one === "object" && one !== null && !Array.isArray(one);
  if (objects.length === 0 || !objects.every(isObject))
    throw new InputError(`${name} must hold an object, or a list of objects.`);
  return objects as JsonObject[];
}

function readDocument(document: Document, name: string): unknown {
  const [mistake] = document.errors;
  if (mistake) throw new InputError(`${name} is not valid YAML: ${describeMistake(mistake)}.`);
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (cause) {
    // The only other reason: what an alias stands for would be read too often.
    const isUnknown = cause instanceof ReferenceError && cause.message.startsWith("Unresolved alias");
    const problem = isUnknown ? "an alias stands for nothing before it" : "too much of it stands for itself";
    throw new InputError(`${name} is not valid YAML: ${problem}.`, { cause });
  }
}

function describeMistake({ message, linePos }: YAMLParseError): string {
  const [place] = linePos ?? [];
  const [sentence = ""] = message.split("\n", 1);
  const problem = sentence.replace(/ at line \d+, column \d+:$/, "");
  return place ? `line ${place.line}, column ${place.col}: ${problem}` : problem;
}
