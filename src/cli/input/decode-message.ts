import {
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  type MessageShape,
} from "@bufbuild/protobuf";
import { InputError } from "./read-options.ts";

/** The decoded input, for error messages. */
interface Subject {
  /** Name of the file, or of the input. */
  readonly name: string;
  /** Kind of resource; missing: the name of the message. */
  readonly noun?: string;
}

/**
 * Decodes a message from its JSON form, with names in snake_case or camelCase.
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
    const position = pointer === "" ? "" : `, at ${pointer}`;
    throw new InputError(`${name} is not a valid ${noun}${position}: ${readable(reason)}.`, { cause });
  }
}

/** Pointer to the first innermost message that cannot be decoded; empty for the whole. The reason names only its type. */
function pointerInto(schema: DescMessage, json: JsonValue): string {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return "";
  for (const { message, name, jsonName, fieldKind } of schema.fields) {
    if (!message || fieldKind === "map") continue;
    const key = name in json ? name : jsonName;
    const given = json[key];
    const values = fieldKind === "list" && Array.isArray(given) ? given : [given ?? null];
    for (const [index, value] of values.entries()) {
      if (value === null || decodes(message, value)) continue;
      const position = `/${key}${Array.isArray(given) ? `/${index}` : ""}`;
      return position + (message.typeName.startsWith("google.") ? "" : pointerInto(message, value));
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
  // The value of a password field is never repeated.
  const safe = /\.password from JSON/.test(reason) ? reason.replace(/, got .*$/s, "") : reason;
  return safe
    .replace(/^cannot decode (?:field|message) /, "")
    .replace(/^hermod\.\w+\.v1\./, "")
    .replace(/^google\.protobuf\.Struct from JSON .*$/s, "it must be an object")
    .replace(" from JSON: ", ": ");
}
