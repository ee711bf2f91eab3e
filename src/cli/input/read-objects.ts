import type { DescMessage, JsonObject, MessageShape } from "@bufbuild/protobuf";
import type { Surroundings } from "../surroundings.ts";
import { decodeMessage } from "./decode-message.ts";
import { parseYamlObjects } from "./parse-yaml.ts";
import { readText, shownName } from "./read-text.ts";

/**
 * The objects of a YAML file, of which JSON is a part: one, a list of them, or several documents.
 * @throws InputError with line and column of the first mistake
 */
export async function readObjects(file: string, input: Surroundings["input"]): Promise<JsonObject[]> {
  return parseYamlObjects(await readText(file, input), shownName(file));
}

/**
 * The same as messages; all of them are read before anything is done with the first one.
 * @param noun what each of them is to be, as `alert rule`
 * @throws InputError which names the one that cannot be read, and what is wrong with it
 */
export async function readMessages<D extends DescMessage>(
  file: string,
  input: Surroundings["input"],
  { schema, noun }: { readonly schema: D; readonly noun: string },
): Promise<MessageShape<D>[]> {
  const objects = await readObjects(file, input);
  return objects.map((one, index) => {
    const { name } = one;
    const label = typeof name === "string" ? `, ${JSON.stringify(name)},` : "";
    const place = objects.length === 1 ? "" : `: number ${index + 1}${label}`;
    return decodeMessage(schema, one, { name: `${shownName(file)}${place}`, noun });
  });
}
