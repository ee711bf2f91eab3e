import type { FaultCodeName } from "./fault-codes.ts";

/** Path of the error catalogue on a running Hermod. */
export const ERRORS_PATH = "/docs/errors";

/** `type` of a problem document: URI reference to its entry in the catalogue, relative to the API. */
export function problemType(code: FaultCodeName): string {
  return `${ERRORS_PATH}#${code}`;
}
