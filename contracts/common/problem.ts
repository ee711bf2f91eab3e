import { z } from "zod";
import { type FaultCodeName, faultCodes } from "./fault-codes.ts";
import { resourceUse } from "./resource-use.ts";

const codes = Object.keys(faultCodes) as [FaultCodeName, ...FaultCodeName[]];

/** Values in an English text, for clients that say it in another language. */
const params = z
  .record(z.string(), z.unknown())
  .optional()
  .meta({
    description:
      "Values of the text, by name, each a string, a number or a list of strings: `reason` says which text of the code it is. docs/errors.md lists them. Missing: the text has none, or they are too large.",
    examples: [{ reason: "at_most_characters", max: 100 }],
  });

/** One entry of `errors`: what is wrong with one field. */
export const fieldProblem = z
  .object({
    pointer: z.string().meta({
      description:
        "JSON pointer (RFC 6901) to the field in the request body; of a query parameter its name, as `/limit`.",
      examples: ["/to/0"],
    }),
    code: z.string().meta({ description: "Stable code of the fault.", examples: ["address.missing_at"] }),
    message: z.string().meta({ description: "What is wrong, for a person to read." }),
    params,
  })
  .meta({ id: "FieldProblem", description: "What is wrong with one field of the request." });

/** The body of every error answer: a problem document (RFC 9457). */
export const problem = z
  .object({
    type: z.string().meta({
      description: "Address of the documentation of this kind of problem.",
      format: "uri-reference",
    }),
    title: z.string().meta({ description: "The kind of problem, in words." }),
    status: z.int().meta({ description: "The HTTP status, repeated." }),
    detail: z
      .string()
      .meta({ description: "This occurrence, in words: what was wrong and what was not done." }),
    params,
    instance: z.string().meta({ description: "The path that was called.", format: "uri-reference" }),
    code: z.enum(codes).meta({
      description: "Stable code of the problem: what programs should look at. Later versions may know more.",
    }),
    sx_trace_id: z.string().meta({ description: "Finds this request in the logs." }),
    errors: z.array(fieldProblem).meta({
      description: "The fields that are wrong, the first 100 of them; empty when none is to blame.",
      maxItems: 100,
    }),
    errors_omitted: z
      .int()
      .optional()
      .meta({ description: "How many more fields are wrong than `errors` has; missing: none.", minimum: 1 }),
    existing_id: z
      .string()
      .optional()
      .meta({ description: "Id of what is in the way, where it is your own; missing: nothing is." }),
    client_id: z.string().optional().meta({ description: "The client that it belongs to; missing: none." }),
    revision: z.string().optional().meta({
      description:
        "Present revision of the resource, where the change is based on another one; `none`: there is no such resource any more.",
    }),
    used_by: resourceUse.used_by.optional(),
    used_by_count: resourceUse.used_by_count.optional(),
  })
  .meta({ id: "Problem", description: "A problem document (RFC 9457)." });

export type Problem = z.output<typeof problem>;

export const PROBLEM_MEDIA_TYPE = "application/problem+json";

/** What may be wrong where something is looked at that is there. */
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

/** What may be wrong where something new is handed in. */
export const problemsOfSubmission = { ...problemsOfReading, 409: problem } as const;
