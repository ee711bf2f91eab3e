import type { JsonObject } from "@bufbuild/protobuf";
import type { Email } from "../../../gen/hermod/email/v1/email_service_pb.ts";
import { readFreeJson } from "../../message/free-json.ts";
import { type FieldFault, validationFault } from "../../shared/fault.ts";

/**
 * The template's variables; undefined when there are none.
 * @throws Fault request.validation_failed
 */
export function readTemplateData({
  templateDataJson,
}: Pick<Email, "templateDataJson">): JsonObject | undefined {
  if (templateDataJson === undefined) return undefined;
  const result = readFreeJson(templateDataJson);
  if (!result.ok) throw refused(result.fault);
  const { value } = result;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw refused({ pointer: "", code: "field.type", message: "The value must be of the type object." });
  }
  return value as JsonObject;
}

function refused({ pointer, code, message }: FieldFault) {
  return validationFault([{ pointer: `/template_data${pointer}`, code, message }]);
}
