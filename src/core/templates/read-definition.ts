import type { Template } from "../../../gen/hermod/template/v1/template_service_pb.ts";
import { readFreeJson } from "../../message/template/free-json.ts";
import type { TemplateSource } from "../../message/template/template.ts";
import { MAX_TEMPLATE_LENGTH } from "../../message/template/template-engine.ts";
import type { TemplateCompileFault, TemplateRenderFault } from "../../message/template/template-fault.ts";
import type { TemplateData, TemplateVariable } from "../../message/template/template-variables.ts";
import { type FieldFault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { isResourceName } from "../../shared/resource-name.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { createFieldFaults, type FieldFaults, pointer } from "../field-faults.ts";

const variableTypes = ["string", "number", "boolean", "object", "list"] as const;
const MAX_VARIABLES = 500;
/** Maximum size of one text in octets, and of all fallbacks together: a document of the store holds 16 MB. */
const MAX_PART_OCTETS = 3_000_000;
const MAX_FALLBACK_LENGTH = 1_000_000;
const MAX_FROM_LENGTH = 2_000;

/** Content of a template, validated as far as storage requires. `inspectTemplate` finds the other errors. */
export function readDefinition(template: Template | undefined, faults: FieldFaults): TemplateSource {
  const given = template?.variables ?? [];
  if (given.length > MAX_VARIABLES)
    faults.add("/variables", "field.too_many", say("template_most_variables", { max: MAX_VARIABLES }));
  const length = given.reduce((sum, { fallbackJson = "" }) => sum + fallbackJson.length, 0);
  if (length > MAX_FALLBACK_LENGTH)
    faults.add("/variables", "field.too_long", say("fallbacks_more_than_1_mb_together"));
  const variables = faults.found.length > 0 ? [] : readVariables(given, faults);
  const { name = "", from, subject = "", html, text } = template ?? {};
  checkLength("from", from, MAX_FROM_LENGTH, faults);
  for (const [field, part] of Object.entries({ subject, html, text })) {
    checkLength(field, part, MAX_TEMPLATE_LENGTH, faults);
  }
  return { name, subject, ...withoutUndefined({ from, html, text }), variables };
}

function checkLength(field: string, part: string | undefined, most: number, faults: FieldFaults): void {
  if (part === undefined || (part.length <= most && Buffer.byteLength(part) <= MAX_PART_OCTETS)) return;
  faults.add(pointer(field), "template.too_large", say("field_longer_than_characters", { field, max: most }));
}

function readVariables(given: Template["variables"], faults: FieldFaults): TemplateVariable[] {
  return given.map(({ name, type, fallbackJson }, index) => {
    const known = variableTypes.find((one) => one === type);
    if (known === undefined) {
      const message = say("none_of", { given: type, allowed: variableTypes });
      faults.add(pointer("variables", index, "type"), "field.invalid", message);
    }
    const base = { name, type: known ?? "string" };
    if (fallbackJson === undefined) return base;
    const fallback = readFreeJson(fallbackJson);
    if (fallback.ok) return { ...base, fallback: fallback.value };
    const { pointer: at, code, message } = fallback.fault;
    faults.add(pointer("variables", index, "fallback") + at, code, message);
    return base;
  });
}

/**
 * Reads a draft: syntax errors are permitted, errors of its structure are not.
 * @throws Fault request.validation_failed
 */
export function readDraft(template: Template | undefined): TemplateSource {
  const faults = createFieldFaults();
  const definition = readDefinition(template, faults);
  if (!isResourceName(definition.name)) addNameFault("/name", faults);
  if (faults.found.length > 0) throw validationFault(faults.found);
  return definition;
}

export function addNameFault(at: string, faults: FieldFaults): void {
  faults.add(at, "template.name_invalid", say("template_name"));
}

/** Errors of a text as field faults of the request; positions in the text are in their sentences. */
export function toFieldFaults(faults: readonly (TemplateCompileFault | TemplateRenderFault)[]): FieldFault[] {
  return faults.map((one) => {
    const { pointer: at, code, message } = one;
    const { line, column = 1 } = positionOf(one);
    const text = line === undefined ? message : say("template_place", { detail: message.text, line, column });
    return { pointer: at, code, message: text };
  });
}

/** Position of an error in a text, from 1; nothing: it has no single position. */
export function positionOf(
  fault: TemplateCompileFault | TemplateRenderFault,
): Pick<TemplateCompileFault, "line" | "column"> {
  if (!("line" in fault) || fault.line === undefined) return {};
  return { line: fault.line, column: fault.column ?? 1 };
}

/**
 * Data for a template: a JSON object.
 * @param at its pointer in the request
 * @throws Fault request.validation_failed
 */
export function readData(json: string, at: string): TemplateData {
  const result = readFreeJson(json);
  if (!result.ok) {
    const { pointer: within, code, message } = result.fault;
    throw validationFault([{ pointer: at + within, code, message }]);
  }
  const { value } = result;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as TemplateData;
  const message = say("type_object");
  throw validationFault([{ pointer: at, code: "field.type", message }]);
}
