import { InvalidArgumentError } from "commander";

export const LIMIT_MAX = 1000;

/** The `--limit` of a list. */
export function readLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > LIMIT_MAX)
    throw new InvalidArgumentError(`It is a whole number from 1 to ${LIMIT_MAX}.`);
  return limit;
}

/** The values of an option that may be given several times, for commander. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** A file or value that the user gave cannot be used; the message says which and why. */
export class InputError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "InputError";
  }
}
