import type { FaultCodeName } from "./fault-codes.ts";

/** Where a running Hermod shows its error catalogue. */
export const ERRORS_PATH = "/docs/errors";

/** The `type` of a problem document: a reference to its entry in the catalogue, relative to the API. */
export function problemType(code: FaultCodeName): string {
  return `${ERRORS_PATH}#${code}`;
}
