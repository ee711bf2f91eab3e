import type { Config } from "../config.ts";

const DAY_MS = 24 * 3_600_000;

/** For how long an address that is not valid receives nothing; undefined: for ever. */
export function suppressionMs({ HERMOD_SUPPRESSION_DAYS: days }: Config): number | undefined {
  return days === 0 ? undefined : days * DAY_MS;
}
