import type { DescMessage, JsonObject, MessageShape } from "@bufbuild/protobuf";
import type { Environment } from "../environment.ts";
import { decodeMessage } from "./decode-message.ts";
import { parseYamlObjects } from "./parse-yaml.ts";
import { readText, shownName } from "./read-text.ts";

/**
 * Reads the objects of a YAML or JSON file: one object, a list of objects, or several documents.
 * @throws InputError with line and column of the first mistake
 */
export async function readObjects(file: string, input: Environment["input"]): Promise<JsonObject[]> {
  return parseYamlObjects(await readText(file, input), shownName(file));
}

/**
 * Reads the objects as messages; decodes all of them before it returns.
 * @param noun kind of each object, for example `alert rule`
 * @throws InputError with the invalid object and its problem
 */
export async function readMessages<D extends DescMessage>(
  file: string,
  input: Environment["input"],
  { schema, noun }: { readonly schema: D; readonly noun: string },
): Promise<MessageShape<D>[]> {
  const objects = await readObjects(file, input);
  return objects.map((one, index) => {
    const { name } = one;
    const label = typeof name === "string" ? `, ${JSON.stringify(name)},` : "";
    const position = objects.length === 1 ? "" : `: number ${index + 1}${label}`;
    return decodeMessage(schema, one, { name: `${shownName(file)}${position}`, noun });
  });
}
