import type { Environment } from "../environment.ts";
import { InputError } from "./read-options.ts";

/** Longer answers are not accepted. */
const MAX_ANSWER_LENGTH = 100;

/**
 * Asks on the terminal, and returns for `y` or `yes`. Without a terminal, only `--yes` confirms.
 * @throws InputError for any other answer; the caller changes nothing then
 */
export async function confirm(
  { err, input }: Pick<Environment, "err" | "input">,
  question: string,
): Promise<void> {
  if (!input && !(process.stdin.isTTY && err.isTTY)) {
    throw new InputError("Nothing was changed. To continue, repeat the command with --yes.");
  }
  err.write(`${question} [y/N] `);
  const answer = await firstLine(input ?? process.stdin);
  if (!/^\s*y(es)?\s*$/i.test(answer)) throw new InputError("Nothing was changed.");
}

async function firstLine(input: AsyncIterable<Uint8Array | string>): Promise<string> {
  let text = "";
  for await (const piece of input) {
    text += typeof piece === "string" ? piece : Buffer.from(piece).toString();
    if (text.includes("\n") || text.length > MAX_ANSWER_LENGTH) break;
  }
  return text.split("\n", 1)[0] ?? "";
}
