import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import type { FaultParams } from "../../contracts/common/fault-texts/fault-params.ts";
import type { TextPartSchema } from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import type { Phrase, TextPart } from "../shared/phrase.ts";

/** Parts of a text as messages. */
export function toTextParts(parts: readonly TextPart[]): MessageInitShape<typeof TextPartSchema>[] {
  return parts.map(({ code, params }) => ({ code, ...(params && { params: toStruct(params) }) }));
}

/** The reason of an explanation, with its parts. */
export function reasonFields({ text, parts }: Phrase) {
  return { reason: text, reasonParts: toTextParts(parts) };
}

/** Params of a text as a message. */
export function toStruct(params: FaultParams): JsonObject {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, typeof value === "object" ? [...value] : value]),
  );
}
