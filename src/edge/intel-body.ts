import {
  type DescField,
  type DescMessage,
  type JsonObject,
  type MessageShape,
  toJson,
} from "@bufbuild/protobuf";

/**
 * The body of an answer, from a message of the core: both have the same fields. What a message does not have is null, so that
 * readers need not ask whether a field is there.
 * @typeParam Body what the contract promises
 */
export function nullBodyOf<Body>(schema: DescMessage, message: MessageShape<DescMessage> | undefined): Body {
  if (message === undefined) throw new Error(`the core has answered without ${schema.typeName}`);
  const json = toJson(schema, message, { useProtoFieldName: true, alwaysEmitImplicit: true });
  return withNulls(schema, json as JsonObject) as Body;
}

function withNulls(schema: DescMessage, json: JsonObject): JsonObject {
  return Object.fromEntries(schema.fields.map((field) => [field.name, fieldJson(field, json[field.name])]));
}

function fieldJson(field: DescField, value: unknown): never {
  if (value === undefined) return null as never;
  if (field.fieldKind === "message" && isPlain(field.message))
    return withNulls(field.message, value as JsonObject) as never;
  if (field.fieldKind === "list" && field.listKind === "message" && isPlain(field.message))
    return (value as JsonObject[]).map((one) => withNulls(field.message, one)) as never;
  return value as never;
}

/** Moments, and others of Google's, are no objects in JSON. */
function isPlain({ typeName }: DescMessage): boolean {
  return !typeName.startsWith("google.protobuf.");
}
