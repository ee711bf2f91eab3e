import { firstCharacters } from "../../shared/first-characters.ts";

const MAX_REASON = 300;

/** The document cannot be read. The message is a clause without a full stop, for the sender or uploader. */
export class UnreadableError extends Error {
  constructor(reason: string) {
    super(firstCharacters(reason, MAX_REASON));
    this.name = "UnreadableError";
  }
}

/** Reason of a step that throws UnreadableError. @throws every other error */
export function reasonOf(error: unknown): string {
  if (error instanceof UnreadableError) return error.message;
  throw error;
}
