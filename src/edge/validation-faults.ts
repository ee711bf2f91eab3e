import type { RequestValidationError } from "@ts-rest/fastify";
import type { z } from "zod";
import { type Fault, type FieldFault, fault, validationFault } from "../shared/fault.ts";
import { jsonPointer } from "../shared/json-pointer.ts";

type Issue = z.core.$ZodIssue;

/** What the contract found wrong with a request, field by field. */
export function fromContract(error: RequestValidationError): Fault {
  const parts = [error.body, error.query, error.pathParams];
  const issues = parts.flatMap((part) => (part?.issues ?? []) as unknown as Issue[]);
  const faults = issues.flatMap((issue) => fieldFaults(issue, []));
  if (faults.length > 0) return validationFault(faults);
  return fault("request.malformed_header", { public: "A header is not valid." });
}

function fieldFaults(issue: Issue, base: readonly PropertyKey[]): FieldFault[] {
  const path = [...base, ...issue.path];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => ({
        pointer: jsonPointer([...path, key]),
        code: "field.unknown",
        message: `There is no field "${key}" here. Nothing is dropped in silence: leave it out.`,
      }));
    case "invalid_union":
      return unionFaults(issue, path);
    case "invalid_type": {
      const missing = issue.input === undefined && path.length > 0 && / undefined$/.test(issue.message);
      return [
        missing
          ? { pointer: jsonPointer(path), code: "field.required", message: "The field is missing." }
          : {
              pointer: jsonPointer(path),
              code: "field.type",
              message: `The value must be of the type ${issue.expected}.`,
            },
      ];
    }
    default:
      return [{ pointer: jsonPointer(path), code: "field.invalid", message: messageOf(issue) }];
  }
}

/** A contract's own message, or the rule in Hermod's words in place of the validator's. */
function messageOf(issue: Issue): string {
  if (!/^(?:Too small|Too big|Invalid)\b/.test(issue.message)) return issue.message;
  switch (issue.code) {
    case "too_small":
      return `The value must ${boundOf("at least", issue.origin, issue.minimum)}.`;
    case "too_big":
      return `The value must ${boundOf("at most", issue.origin, issue.maximum)}.`;
    case "invalid_value":
      return `The value must be one of ${issue.values.map((value) => `\`${String(value)}\``).join(", ")}.`;
    case "not_multiple_of":
      return `The value must be a multiple of ${issue.divisor}.`;
    default:
      return "The value does not have the form that the OpenAPI document describes.";
  }
}

function boundOf(bound: string, origin: string, limit: number | bigint): string {
  const unit = { string: "character", array: "entry", set: "entry", object: "field", map: "entry" }[origin];
  if (unit === undefined) return `be ${bound} ${limit}`;
  return `have ${bound} ${limit} ${limit === 1 ? unit : unit.replace(/y$/, "ie")}${limit === 1 ? "" : "s"}`;
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
  if (missing)
    return [{ pointer: jsonPointer(path), code: "field.required", message: "The field is missing." }];
  return [
    {
      pointer: jsonPointer(path),
      code: "field.type",
      message: "The value must be a string or a list of strings.",
    },
  ];
}
