import { z } from "zod";
import { type FaultCodeName, faultCodes } from "./fault-codes.ts";
import { resourceUse } from "./resource-use.ts";

const codes = Object.keys(faultCodes) as [FaultCodeName, ...FaultCodeName[]];

/** Values of an English text, for clients that translate it. */
export const faultParamsField = z
  .record(z.string(), z.unknown())
  .optional()
  .meta({
    description:
      "Values of the text, by name, each a string, a number or a list of strings. `reason` identifies the text within its code. docs/reference/errors.md lists all params. Missing if the text has none or if they are too large.",
    examples: [{ reason: "at_most_characters", max: 100 }],
  });

/** One entry of `errors`: the fault of one field. */
export const fieldProblem = z
  .object({
    pointer: z.string().meta({
      description:
        "JSON pointer (RFC 6901) to the field in the request body. For a query parameter, a slash and its name, such as `/limit`.",
      examples: ["/to/0"],
    }),
    code: z.string().meta({ description: "Stable code of the fault.", examples: ["address.missing_at"] }),
    message: z.string().meta({ description: "Human-readable description of the fault." }),
    params: faultParamsField,
  })
  .meta({ id: "FieldProblem", description: "Fault of one field of the request." });

/** Body of every error response: a problem document (RFC 9457). */
export const problem = z
  .object({
    type: z.string().meta({
      description: "URI reference to the documentation of this kind of problem.",
      format: "uri-reference",
    }),
    title: z.string().meta({ description: "Human-readable name of the kind of problem." }),
    status: z.int().meta({ description: "HTTP status of the response." }),
    detail: z.string().meta({
      description: "Human-readable description of this occurrence: what was wrong and what was not done.",
    }),
    params: faultParamsField,
    instance: z.string().meta({ description: "Path of the request.", format: "uri-reference" }),
    code: z.enum(codes).meta({
      description: "Stable code of the problem, for use by programs. Later versions may add codes.",
    }),
    sx_trace_id: z
      .string()
      .meta({ description: "Trace id of the request, which identifies it in the logs." }),
    errors: z.array(fieldProblem).meta({
      description: "Faults of fields, at most the first 100. Empty if no field is at fault.",
      maxItems: 100,
    }),
    errors_omitted: z.int().optional().meta({
      description: "Number of field faults that `errors` omits. Missing if it omits none.",
      minimum: 1,
    }),
    existing_id: z.string().optional().meta({
      description:
        "Id of your own resource that conflicts with the request. Missing if there is no such resource.",
    }),
    client_id: z
      .string()
      .optional()
      .meta({ description: "Client that owns the resource `existing_id`. Missing if there is none." }),
    revision: z.string().optional().meta({
      description:
        "Current revision of the resource, if the change is based on another revision. `none`: the resource no longer exists.",
    }),
    used_by: resourceUse.used_by.optional(),
    used_by_count: resourceUse.used_by_count.optional(),
  })
  .meta({ id: "Problem", description: "A problem document (RFC 9457)." });

export type Problem = z.output<typeof problem>;

export const PROBLEM_MEDIA_TYPE = "application/problem+json";

/** Problem responses of operations that read. */
export const problemsOfReading = {
  400: problem,
  401: problem,
  403: problem,
  405: problem,
  408: problem,
  413: problem,
  415: problem,
  417: problem,
  422: problem,
  429: problem,
  431: problem,
  500: problem,
  503: problem,
} as const;

/** Problem responses of operations that submit. */
export const problemsOfSubmission = { ...problemsOfReading, 409: problem } as const;
