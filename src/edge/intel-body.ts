import {
  type DescField,
  type DescMessage,
  type JsonObject,
  type MessageShape,
  toJson,
} from "@bufbuild/protobuf";
import type { z } from "zod";
import type { watchedDomain } from "../../contracts/common/intel-schemas.ts";
import { TextPartSchema } from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { type WatchedDomain, WatchedDomainSchema } from "../../gen/hermod/watch/v1/watch_service_pb.ts";

type Domain = z.output<typeof watchedDomain>;

/**
 * Converts a message of the core to the body of a response. Both have the same fields. A missing field becomes null, so
 * that clients find every field. @typeParam Body the type of the contract
 */
export function nullBodyOf<Body>(schema: DescMessage, message: MessageShape<DescMessage> | undefined): Body {
  if (message === undefined) throw new Error(`the core answered without ${schema.typeName}`);
  const json = toJson(schema, message, { useProtoFieldName: true, alwaysEmitImplicit: true });
  return withNulls(schema, json as JsonObject) as Body;
}

/** Checks and history are there where they were asked for, and nowhere else. */
export function domainBody(
  domain: WatchedDomain | undefined,
  include: readonly string[] | undefined,
): Domain {
  const {
    checks,
    history,
    score_details: details,
    ...body
  } = nullBodyOf<Domain>(WatchedDomainSchema, domain);
  return {
    ...body,
    ...(include?.includes("checks") && { checks: checks ?? [] }),
    ...(include?.includes("checks") && details && { score_details: details }),
    ...(include?.includes("history") && { history: history ?? [] }),
  };
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

/** Moments, and others of Google's, are no objects in JSON. A part of a text without params has no field for them. */
function isPlain({ typeName }: DescMessage): boolean {
  return !typeName.startsWith("google.protobuf.") && typeName !== TextPartSchema.typeName;
}
