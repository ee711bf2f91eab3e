import { type DescMessage, fromJson, type JsonObject, type MessageShape } from "@bufbuild/protobuf";
import { InputError } from "./read-options.ts";

/**
 * A message from its JSON form, names in snake_case or camelCase.
 * @throws InputError for an unknown name or a value of the wrong type.
 */
export function decodeMessage<D extends DescMessage>(
  schema: D,
  json: JsonObject,
  name: string,
): MessageShape<D> {
  try {
    return fromJson(schema, json);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new InputError(`${name} is no ${schema.name.toLowerCase()}: ${readable(reason)}.`, { cause });
  }
}

/** protobuf-es: `cannot decode field hermod.policy.v1.Policy.name from JSON: expected string, got 1`. */
function readable(reason: string): string {
  // What stands in the place of a password is not repeated, whatever it is.
  const safe = /\.password from JSON/.test(reason) ? reason.replace(/, got .*$/s, "") : reason;
  return safe
    .replace(/^cannot decode (?:field|message) /, "")
    .replace(/^hermod\.\w+\.v1\./, "")
    .replace(" from JSON: ", ": ");
}
