import type { JsonObject } from "@bufbuild/protobuf";
import { parseAllDocuments } from "yaml";
import type { Surroundings } from "../surroundings.ts";
import { InputError } from "./read-options.ts";
import { readText, shownName } from "./read-text.ts";

/** More of them stand for a text that only grows when it is read. */
const MAX_ALIASES = 100;

/**
 * The objects of a YAML file, of which JSON is a part: one, a list of them, or several documents.
 * @throws InputError with line and column of the first mistake
 */
export async function readObjects(file: string, input: Surroundings["input"]): Promise<JsonObject[]> {
  const name = shownName(file);
  const documents = parseAllDocuments(await readText(file, input));
  const objects = [...documents].flatMap((document) => {
    const [mistake] = document.errors;
    if (mistake) throw new InputError(`${name} is not valid YAML: ${mistake.message.split("\n", 1)[0]}`);
    try {
      return [document.toJS({ maxAliasCount: MAX_ALIASES })].flat();
    } catch (cause) {
      throw new InputError(`${name} is not valid YAML: too much of it stands for itself.`, { cause });
    }
  });
  const isObject = (one: unknown) => typeof one === "object" && one !== null && !Array.isArray(one);
  if (objects.length === 0 || !objects.every(isObject))
    throw new InputError(`${name} must hold an object, or a list of objects.`);
  return objects as JsonObject[];
}
