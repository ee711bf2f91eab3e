import type { ExtendedError } from "./extended-errors.ts";

/**
 * Reason for an unknown result of a lookup.
 *
 * - `timeout`: no answer in time
 * - `servfail`, `refused`: the servers say so (SERVFAIL, REFUSED)
 * - `other_rcode`: the servers answer with another error code, for example FORMERR
 * - `unreachable`: the port is closed, or the connection broke
 * - `malformed`: the answer is unreadable, truncated, or for another query
 * - `not_resolved`: the server only refers to others, or aliases form a loop or have no valid target
 * - `not_a_name`: the name cannot be queried
 * - `no_server`: no server is configured
 * - `budget`: not queried, or not waited for, because the budget of the domain check is used up
 */
export type FailureCode =
  | "timeout"
  | "servfail"
  | "refused"
  | "other_rcode"
  | "unreachable"
  | "malformed"
  | "not_resolved"
  | "not_a_name"
  | "no_server"
  | "budget";

/** Reason why a query has no answer. */
export interface AskFailure {
  readonly code: FailureCode;
  /** Text with the query and the server. */
  readonly failure: string;
  /** Extended errors of the server (RFC 8914); missing: none. */
  readonly extendedErrors?: readonly ExtendedError[];
}

/** A server did not answer. */
export class AskError extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string) {
    super(message);
    this.code = code;
  }
}
