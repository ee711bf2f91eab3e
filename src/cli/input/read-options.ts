import { InvalidArgumentError } from "commander";
import { parseMoment } from "../../shared/parse-moment.ts";

export const LIMIT_MAX = 1000;

/** Value of `--limit` of a list. */
export function readLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > LIMIT_MAX)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${LIMIT_MAX}.`);
  return limit;
}

/** Number of a version. */
export function readVersion(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError("It must be the number of a version, for example 3.");
  return Number(text);
}

const SECONDS_IN: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** A duration such as `30m`, `24h` or `7d`, in seconds. */
export function readSpan(text: string): number {
  const [, count, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count === undefined)
    throw new InvalidArgumentError("It must be a number with a unit, for example 30m, 24h or 7d.");
  return Number(count) * (SECONDS_IN[unit] ?? 0);
}

/** A time (RFC 3339) such as `2030-01-02T09:00:00Z`. */
export function readMoment(text: string): Date {
  const moment = parseMoment(text);
  if (!moment)
    throw new InvalidArgumentError("It must be a time with a UTC offset, for example 2030-01-02T09:00:00Z.");
  return moment;
}

/** Collects the values of a repeatable option, for commander. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** Values of a repeatable option; an empty text means none. Undefined: the option is missing. */
export function withoutEmpty(values: readonly string[] | undefined): string[] | undefined {
  return values?.filter((value) => value !== "");
}

/** A file or value from the user cannot be used; the message says which one and why. */
export class InputError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "InputError";
  }
}
