import { InvalidArgumentError } from "commander";
import { parseMoment } from "../../shared/parse-moment.ts";

export const LIMIT_MAX = 1000;

/** The `--limit` of a list. */
export function readLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > LIMIT_MAX)
    throw new InvalidArgumentError(`It is a whole number from 1 to ${LIMIT_MAX}.`);
  return limit;
}

/** The number of a version. */
export function readVersion(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It is the number of a version, as 3.");
  return Number(text);
}

const SECONDS_IN: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** A span of time, as `30m`, `24h` or `7d`, in seconds. */
export function readSpan(text: string): number {
  const [, count, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError("It is a number with its unit, as 30m, 24h or 7d.");
  return Number(count) * (SECONDS_IN[unit] ?? 0);
}

/** A moment (RFC 3339), as `2030-01-02T09:00:00Z`. */
export function readMoment(text: string): Date {
  const moment = parseMoment(text);
  if (!moment) throw new InvalidArgumentError("It is a moment with an offset, as 2030-01-02T09:00:00Z.");
  return moment;
}

/** The values of an option that may be given several times, for commander. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** The values of such an option, of which an empty text says that there are none; undefined: it was not given. */
export function withoutEmpty(values: readonly string[] | undefined): string[] | undefined {
  return values?.filter((value) => value !== "");
}

/** A file or value that the user gave cannot be used; the message says which and why. */
export class InputError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "InputError";
  }
}
