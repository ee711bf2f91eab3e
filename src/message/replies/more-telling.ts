import type { TransportOutcome } from "./outcome.ts";
import type { ReplyPhase } from "./reply-rule.ts";

/** How far a conversation came. */
const PHASES: readonly ReplyPhase[] = ["connect", "ehlo", "starttls", "auth", "mail", "rcpt", "data"];

/**
 * The one of two ways that could not be used that says more about why the message was not taken: what a server
 * answered, the later in the conversation the better, before what went wrong without an answer. Of equals the latest.
 */
export function moreTelling(first: TransportOutcome | undefined, second: TransportOutcome): TransportOutcome {
  const telling = first && weight(first) > weight(second) ? first : second;
  return withConversation(telling, first, second);
}

/** The second one, which decides, with what was said in both. */
export function following(first: TransportOutcome | undefined, second: TransportOutcome): TransportOutcome {
  return withConversation(second, first, second);
}

/** Of an attempt, at most. */
const MAX_LENGTH = 4_000;
const BEGINNING_LENGTH = 1_000;

function withConversation(
  outcome: TransportOutcome,
  ...attempts: readonly (TransportOutcome | undefined)[]
): TransportOutcome {
  const whole = attempts.flatMap((one) => one?.reply.conversation ?? []).join("\n");
  if (whole === "") return outcome;
  return { kind: outcome.kind, reply: { ...outcome.reply, conversation: bounded(whole) } };
}

/** The beginning and the end. */
function bounded(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const end = text.slice(text.length - (MAX_LENGTH - BEGINNING_LENGTH)).toWellFormed();
  return `${text.slice(0, BEGINNING_LENGTH).toWellFormed()}…\n* (something was left out)\n…${end}`;
}

function weight({ reply: { code, phase } }: TransportOutcome): number {
  return code === undefined || phase === undefined ? -1 : PHASES.indexOf(phase);
}
