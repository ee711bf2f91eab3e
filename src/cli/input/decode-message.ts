import {
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  type MessageShape,
} from "@bufbuild/protobuf";
import { InputError } from "./read-options.ts";

/** What is decoded, for messages. */
interface Subject {
  /** The file's, or what else it is. */
  readonly name: string;
  /** What it is to be; missing: the name of the message. */
  readonly noun?: string;
}

/**
 * A message from its JSON form, names in snake_case or camelCase.
 * @throws InputError for an unknown name or a value of the wrong type.
 */
export function decodeMessage<D extends DescMessage>(
  schema: D,
  json: JsonObject,
  subject: string | Subject,
): MessageShape<D> {
  const { name, noun = schema.name.toLowerCase() }: Subject =
    typeof subject === "string" ? { name: subject } : subject;
  try {
    return fromJson(schema, json);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const pointer = pointerInto(schema, json);
    const place = pointer === "" ? "" : `, at ${pointer}`;
    throw new InputError(`${name} is no ${noun}${place}: ${readable(reason)}.`, { cause });
  }
}

/** To the first of the innermost messages that cannot be decoded, which the reason names by its type alone; empty: the whole. */
function pointerInto(schema: DescMessage, json: JsonValue): string {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return "";
  for (const { message, name, jsonName, fieldKind } of schema.fields) {
    if (!message || fieldKind === "map") continue;
    const key = name in json ? name : jsonName;
    const given = json[key];
    const values = fieldKind === "list" && Array.isArray(given) ? given : [given ?? null];
    for (const [index, value] of values.entries()) {
      if (value === null || decodes(message, value)) continue;
      const place = `/${key}${Array.isArray(given) ? `/${index}` : ""}`;
      return place + (message.typeName.startsWith("google.") ? "" : pointerInto(message, value));
    }
  }
  return "";
}

function decodes(schema: DescMessage, json: JsonValue): boolean {
  try {
    fromJson(schema, json);
    return true;
  } catch {
    return false;
  }
}

/** protobuf-es: `cannot decode field hermod.policy.v1.Policy.name from JSON: expected string, got 1`. */
function readable(reason: string): string {
  // What stands in the place of a password is not repeated, whatever it is.
  const safe = /\.password from JSON/.test(reason) ? reason.replace(/, got .*$/s, "") : reason;
  return safe
    .replace(/^cannot decode (?:field|message) /, "")
    .replace(/^hermod\.\w+\.v1\./, "")
    .replace(/^google\.protobuf\.Struct from JSON .*$/s, "it must be an object")
    .replace(" from JSON: ", ": ");
}
