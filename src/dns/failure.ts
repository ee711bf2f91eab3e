import type { ExtendedError } from "./extended-errors.ts";

/**
 * Why nothing is known after a lookup.
 *
 * - `timeout`: no answer in time
 * - `servfail`, `refused`: the servers say so (SERVFAIL, REFUSED)
 * - `other_rcode`: the servers answer with another code that is none about the name, as FORMERR
 * - `unreachable`: nobody listens there, or the connection broke
 * - `malformed`: an answer that cannot be read, that is cut short, or is one to another question
 * - `not_resolved`: the server only refers to others, or aliases lead in a circle or to no name
 * - `not_a_name`: what was asked for cannot be asked for
 * - `no_server`: there is no server to ask
 * - `budget`: it was not asked, or not waited for: the look at the domain has cost enough
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

/** Why a question was not answered. */
export interface AskFailure {
  readonly code: FailureCode;
  /** In words; it names what was asked for, and who was asked. */
  readonly failure: string;
  /** What the server says about it (RFC 8914); missing: nothing. */
  readonly extendedErrors?: readonly ExtendedError[];
}

/** No answer of a server. */
export class AskError extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string) {
    super(message);
    this.code = code;
  }
}
