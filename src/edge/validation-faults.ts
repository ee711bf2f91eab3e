import type { RequestValidationError } from "@ts-rest/fastify";
import type { z } from "zod";
import { type Fault, type FieldFault, fault, validationFault } from "../shared/fault.ts";
import { type FaultText, say } from "../shared/fault-text.ts";
import { jsonPointer } from "../shared/json-pointer.ts";

type Issue = z.core.$ZodIssue;

/** Converts violations of the contract to a fault, field by field. */
export function fromContract(error: RequestValidationError): Fault {
  const parts = [error.body, error.query, error.pathParams];
  const issues = parts.flatMap((part) => (part?.issues ?? []) as unknown as Issue[]);
  const faults = issues.flatMap((issue) => fieldFaults(issue, []));
  if (faults.length > 0) return validationFault(faults);
  return fault("request.malformed_header", { public: say("header_not_valid") });
}

function fieldFaults(issue: Issue, base: readonly PropertyKey[]): FieldFault[] {
  const path = [...base, ...issue.path];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => ({
        pointer: jsonPointer([...path, key]),
        code: "field.unknown",
        message: say("unknown_field", { key }),
      }));
    case "invalid_union":
      return unionFaults(issue, path);
    case "invalid_type": {
      const missing = issue.input === undefined && path.length > 0 && / undefined$/.test(issue.message);
      return [
        missing
          ? { pointer: jsonPointer(path), code: "field.required", message: say("missing") }
          : {
              pointer: jsonPointer(path),
              code: "field.type",
              message: say("type", { expected: issue.expected }),
            },
      ];
    }
    default:
      return [{ pointer: jsonPointer(path), code: "field.invalid", message: messageOf(issue) }];
  }
}

/** A contract's own message, or the rule in Hermod's words in place of the validator's. */
function messageOf(issue: Issue): FaultText {
  if (!/^(?:Too small|Too big|Invalid)\b/.test(issue.message)) return say("rule", { detail: issue.message });
  switch (issue.code) {
    case "too_small":
      return boundOf("at_least", issue.origin, { min: Number(issue.minimum) });
    case "too_big":
      return boundOf("at_most", issue.origin, { max: Number(issue.maximum) });
    case "invalid_value":
      return say("value_one_of", { allowed: issue.values.map(String) });
    case "not_multiple_of":
      return say("value_multiple", { actual: Number(issue.divisor) });
    default:
      return say("value_does_not_form_openapi_document");
  }
}

const units = {
  string: "characters",
  array: "entries",
  set: "entries",
  object: "fields",
  map: "entries",
} as const;

function boundOf(bound: "at_least", origin: string, limit: { readonly min: number }): FaultText;
function boundOf(bound: "at_most", origin: string, limit: { readonly max: number }): FaultText;
function boundOf(bound: "at_least" | "at_most", origin: string, { min = 0, max = 0 }): FaultText {
  const unit = Object.hasOwn(units, origin) ? units[origin as keyof typeof units] : "value";
  return bound === "at_least" ? say(`${unit}_at_least`, { min }) : say(`${unit}_at_most`, { max });
}

/** The alternative that got furthest says what is wrong. */
function unionFaults(
  issue: Extract<Issue, { code: "invalid_union" }>,
  path: readonly PropertyKey[],
): FieldFault[] {
  const alternatives = issue.errors.map((issues) => issues.flatMap((inner) => fieldFaults(inner, path)));
  const deepest = alternatives.find((faults) => faults.some(({ pointer }) => pointer !== jsonPointer(path)));
  if (deepest) return deepest;
  const missing = alternatives.flat().some(({ code }) => code === "field.required");
  if (missing) return [{ pointer: jsonPointer(path), code: "field.required", message: say("missing") }];
  return [
    {
      pointer: jsonPointer(path),
      code: "field.type",
      message: say("type_string_or_strings"),
    },
  ];
}
