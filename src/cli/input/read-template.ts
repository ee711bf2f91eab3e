import { dirname, resolve } from "node:path";
import type { JsonObject } from "@bufbuild/protobuf";
import { type Template, TemplateSchema } from "../../../gen/hermod/template/v1/template_service_pb.ts";
import type { Environment } from "../environment.ts";
import { decodeMessage } from "./decode-message.ts";
import { parseJsonObject } from "./parse-json.ts";
import { parseYamlObjects } from "./parse-yaml.ts";
import { InputError } from "./read-options.ts";
import { readText, shownName } from "./read-text.ts";

/**
 * Reads a template from a JSON or YAML file. `html_file` and `text_file` name files with the bodies, relative to that file; for
 * standard input, relative to the current folder.
 * @throws InputError
 */
export async function readTemplate(file: string, input: Environment["input"]): Promise<Template> {
  const name = shownName(file);
  const given = parseObject(await readText(file, input), name);
  const folder = file === "-" ? "." : dirname(file);
  const withHtml = await bodyFromFile(given, "html", folder, name);
  const whole = await bodyFromFile(withHtml, "text", folder, name);
  return decodeMessage(TemplateSchema, withFallbackTexts(whole), name);
}

/** A text that begins like JSON is parsed as JSON, so that its mistakes are reported in JSON terms. */
function parseObject(text: string, name: string): JsonObject {
  if (/^\s*(?:[{["]|$)/.test(text)) return parseJsonObject(text, name);
  const [given, ...others] = parseYamlObjects(text, name);
  if (!given || others.length > 0) throw new InputError(`${name} must hold one template.`);
  return given;
}

/** A fallback is any JSON value; it is sent as JSON text. */
function withFallbackTexts(given: JsonObject): JsonObject {
  if (!Array.isArray(given.variables)) return given;
  const variables = given.variables.map((variable) => {
    if (typeof variable !== "object" || variable === null || Array.isArray(variable)) return variable;
    const { fallback, ...rest } = variable;
    return fallback === undefined ? variable : { ...rest, fallback_json: JSON.stringify(fallback) };
  });
  return { ...given, variables };
}

async function bodyFromFile(
  given: JsonObject,
  body: "html" | "text",
  folder: string,
  name: string,
): Promise<JsonObject> {
  const key = `${body}_file`;
  const { [key]: path, ...rest } = given;
  if (path === undefined) return given;
  if (typeof path !== "string" || path === "")
    throw new InputError(`${name}: ${key} must be the name of a file.`);
  if (given[body] !== undefined)
    throw new InputError(`${name} has both ${body} and ${key}. Remove one of them.`);
  return { ...rest, [body]: await readText(resolve(folder, path), undefined) };
}
