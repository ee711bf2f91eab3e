import type { oas31 } from "openapi3-ts";
import { type FaultCodeName, faultCodes } from "./fault-codes.ts";
import type { FieldFaultCodeName } from "./field-fault-codes.ts";
import { faultsOfStatus } from "./operation-faults.ts";
import { PROBLEM_MEDIA_TYPE, type Problem } from "./problem.ts";
import { problemType } from "./problem-type.ts";

const statusNames: Readonly<Record<number, string>> = {
  400: "The request could not be read.",
  401: "The API key is missing or not valid.",
  403: "The API key does not allow this.",
  404: "The resource does not exist.",
  405: "The path does not allow this method.",
  408: "The request took too long to arrive.",
  409: "The request conflicts with another request or with the state of a resource.",
  410: "The resource is no longer retained.",
  413: "The request or the message is too large.",
  415: "The body is not JSON, or is compressed.",
  417: "The expectation cannot be met.",
  422: "The request was understood but cannot be accepted.",
  429: "A rate limit is used up.",
  431: "The headers are too large.",
  500: "An internal error occurred.",
  503: "Hermod cannot confirm the request right now. A request is accepted completely or not at all.",
};

/** Response headers of each status. */
const headersOfStatus: Readonly<Record<number, readonly string[]>> = {
  401: ["WWW-Authenticate"],
  405: ["Allow"],
  409: ["Retry-After"],
  429: ["Retry-After", "RateLimit-Policy", "RateLimit"],
  503: ["Retry-After"],
};

type FieldExample = readonly [
  pointer: string,
  code: FieldFaultCodeName,
  message: string,
  params: NonNullable<Problem["params"]>,
];

/** Field faults of the examples. Codes that are not about a single field have none. */
const fieldExamples: Partial<Record<FaultCodeName, readonly FieldExample[]>> = {
  "request.validation_failed": [
    ["/subject", "field.required", "The field is missing.", { reason: "missing" }],
    ["/to/0", "address.missing_at", 'The address has no "@".', { reason: "no_at" }],
  ],
  "policy.unknown": [
    [
      "/routing_policy",
      "policy.unknown",
      'The routing policy "bulk" does not exist.',
      { reason: "no_policy", name: "bulk" },
    ],
  ],
  "template.unknown": [
    [
      "/template",
      "template.unknown",
      'The template "welcome" does not exist.',
      { reason: "no_template", name: "welcome" },
    ],
  ],
  "template.variable_missing": [
    [
      "/template_data/name",
      "template.variable_missing",
      "The template needs the variable name, which is missing.",
      { reason: "template_needs_variable_not_given", variable: "name" },
    ],
  ],
  "template.variable_type": [
    [
      "/template_data/plan/seats",
      "template.variable_type",
      "The variable plan.seats must be of the type number.",
      { reason: "variable_type", variable: "plan.seats", type: "number" },
    ],
  ],
};

/** Response of an operation for one problem status: its codes, each with an example. */
export function problemResponse(
  status: number,
  operation: { readonly path: string; readonly faults: readonly FaultCodeName[] },
  schema: oas31.SchemaObject | oas31.ReferenceObject,
): oas31.ResponseObject {
  const codes = faultsOfStatus(operation.faults, status);
  const title = statusNames[status];
  if (codes.length === 0 || title === undefined) {
    throw new Error(`${operation.path}: no code of this operation answers with HTTP ${status}`);
  }
  const headers = headersOfStatus[status] ?? [];
  return {
    description: [title, "", ...codes.map((code) => `- \`${code}\`: ${faultCodes[code].doc}`)].join("\n"),
    ...(headers.length > 0 && { headers: headerRefs(headers) }),
    content: {
      [PROBLEM_MEDIA_TYPE]: {
        schema,
        examples: Object.fromEntries(
          codes.map((code) => [
            code,
            { summary: faultCodes[code].title, value: exampleProblem(code, operation.path) },
          ]),
        ),
      },
    },
  };
}

/** References to `components/headers`. */
export function headerRefs(names: readonly string[]): oas31.HeadersObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function exampleProblem(code: FaultCodeName, path: string): Problem {
  const { http, title, doc } = faultCodes[code];
  const errors = (fieldExamples[code] ?? []).map(([pointer, fieldCode, message, params]) => ({
    pointer,
    code: fieldCode,
    message,
    params,
  }));
  const [only, ...others] = errors;
  return {
    type: problemType(code),
    title,
    status: http,
    ...(only && others.length === 0
      ? { detail: only.message, params: only.params }
      : detailOf(doc, errors.length)),
    instance: path,
    code,
    sx_trace_id: "sx_01k9z4c3r8h2v6y0n5t7w1x3q9",
    errors,
  };
}

function detailOf(doc: string, fields: number): Pick<Problem, "detail" | "params"> {
  if (fields === 0) return { detail: doc };
  return { detail: `${fields} fields are not valid.`, params: { reason: "fields_not_valid", count: fields } };
}
