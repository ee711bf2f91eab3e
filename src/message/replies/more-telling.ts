import type { TransportOutcome } from "./outcome.ts";
import type { ReplyPhase } from "./reply-rule.ts";

/** Progress of a conversation. */
const PHASES: readonly ReplyPhase[] = ["connect", "ehlo", "starttls", "auth", "mail", "rcpt", "data"];

/**
 * Selects the more informative of two failed routes: a server's reply, the later in the conversation the better, before a
 * failure without a reply. If they are equal, it selects the latest.
 */
export function moreTelling(first: TransportOutcome | undefined, second: TransportOutcome): TransportOutcome {
  const telling = first && weight(first) > weight(second) ? first : second;
  return withConversation(telling, first, second);
}

/** The second outcome, which decides, with the conversations of both. */
export function following(first: TransportOutcome | undefined, second: TransportOutcome): TransportOutcome {
  return withConversation(second, first, second);
}

/** Maximum length for an attempt. */
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
  return `${text.slice(0, BEGINNING_LENGTH).toWellFormed()}…\n* (shortened)\n…${end}`;
}

function weight({ reply: { code, phase } }: TransportOutcome): number {
  return code === undefined || phase === undefined ? -1 : PHASES.indexOf(phase);
}
