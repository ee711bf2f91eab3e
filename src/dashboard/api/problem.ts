import type { Problem as ProblemDocument } from "../../../contracts/common/problem.ts";

/** Faults that the page detects itself, without a response of Hermod. */
export type LocalCode = "network" | "unreadable_answer";

/** A failed request: a problem document (RFC 9457), or no usable response. */
export class Problem extends Error {
  readonly code: ProblemDocument["code"] | LocalCode;
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  /** Empty if the response has none. */
  readonly traceId: string;
  readonly errors: ProblemDocument["errors"];
  /** Seconds until the request can be repeated; undefined if the response has none. */
  readonly retryAfterS: number | undefined;
  readonly document: ProblemDocument | undefined;

  constructor(given: {
    readonly code: Problem["code"];
    readonly status: number;
    readonly detail: string;
    readonly retryAfterS?: number | undefined;
    readonly document?: ProblemDocument | undefined;
  }) {
    super(given.detail);
    this.name = "Problem";
    this.code = given.code;
    this.status = given.status;
    this.document = given.document;
    this.traceId = given.document?.sx_trace_id ?? "";
    this.errors = given.document?.errors ?? [];
    this.retryAfterS = given.retryAfterS;
  }
}

/** The problem of a response with an error status. */
export function problemOf(status: number, headers: Headers, body: unknown): Problem {
  const retryAfter = Number(headers.get("retry-after") ?? Number.NaN);
  const retryAfterS = Number.isFinite(retryAfter) ? retryAfter : undefined;
  if (isDocument(body))
    return new Problem({ code: body.code, status, detail: body.detail, document: body, retryAfterS });
  return new Problem({ code: "unreadable_answer", status, detail: `HTTP ${status}`, retryAfterS });
}

function isDocument(body: unknown): body is ProblemDocument {
  return typeof body === "object" && body !== null && "code" in body && "detail" in body;
}
