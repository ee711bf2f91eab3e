import { firstCharacters } from "../../shared/first-characters.ts";

const MAX_REASON = 300;

/** What was sent cannot be read; its message says why, in a sentence without its end, for whoever sent or uploaded it. */
export class UnreadableError extends Error {
  constructor(reason: string) {
    super(firstCharacters(reason, MAX_REASON));
    this.name = "UnreadableError";
  }
}

/** Why a step failed that throws UnreadableError. @throws what is no UnreadableError */
export function reasonOf(error: unknown): string {
  if (error instanceof UnreadableError) return error.message;
  throw error;
}
