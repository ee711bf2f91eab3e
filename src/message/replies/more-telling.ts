import type { TransportOutcome } from "./outcome.ts";
import type { ReplyPhase } from "./reply-rule.ts";

/** How far a conversation came. */
const PHASES: readonly ReplyPhase[] = ["connect", "ehlo", "starttls", "auth", "mail", "rcpt", "data"];

/**
 * The one of two ways that could not be used that says more about why the message was not taken: what a server
 * answered, the later in the conversation the better, before what went wrong without an answer. Of equals the latest.
 */
export function moreTelling(first: TransportOutcome | undefined, second: TransportOutcome): TransportOutcome {
  return first && weight(first) > weight(second) ? first : second;
}

function weight({ reply: { code, phase } }: TransportOutcome): number {
  return code === undefined || phase === undefined ? -1 : PHASES.indexOf(phase);
}
