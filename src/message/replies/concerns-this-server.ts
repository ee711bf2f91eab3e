import type { RefusalClass } from "./classify-reply.ts";
import { OF_THE_MAILBOX, type ReplyCategory, type ReplyPhase, SERVICE_NOT_AVAILABLE } from "./reply-rule.ts";

export interface HeardRefusal extends Pick<RefusalClass, "category" | "permanent" | "scope" | "greylisted"> {
  readonly code: number;
  readonly enhancedStatusCode?: string | undefined;
  readonly phase: ReplyPhase;
  /** True if it answers the whole message, not a command. */
  readonly afterDot: boolean;
}

const BEFORE_MAIL: readonly ReplyPhase[] = ["connect", "ehlo", "starttls", "auth"];
/** The state of the mail system, and of the network and its routes (RFC 3463 sections 3.4 and 3.5). */
const OF_THE_SYSTEM = /^4\.[34]\./;
/** Equivalent to no code (RFC 3463 section 3.1). */
const UNDEFINED_STATUS = /^4\.0\./;
/** Without a code these are about the server itself; the others are about the message and its addresses. */
const OF_ITSELF: readonly ReplyCategory[] = ["network", "dns", "tls", "other"];

/**
 * True if a refusal concerns only the server that gave it, so that the next one in the list may accept the message in the same
 * attempt (RFC 5321 section 5.1). Greylisting and rate limits never are: the servers of one provider share them, and their
 * purpose is to prevent bypassing. A 4xx after the final dot says that the message was not accepted (RFC 5321 section 4.2.1),
 * so that another server cannot deliver it twice.
 */
export function concernsThisServer(refusal: HeardRefusal): boolean {
  const { code, enhancedStatusCode, phase, category, scope, permanent, greylisted, afterDot } = refusal;
  if (greylisted || category === "rate_limit") return false;
  // Every server of the domain gives the same reply about its mailbox, and another relay would have to bounce the message.
  if (afterDot) return !permanent && code < 500 && !OF_THE_MAILBOX.includes(category);
  if (BEFORE_MAIL.includes(phase) || code === SERVICE_NOT_AVAILABLE) return true;
  if (permanent || code >= 500) return false;
  // Words such as "service unavailable" outweigh the code: a failed mail filter replies with 4.7.1.
  if (category === "network" || (category === "other" && scope === "destination")) return true;
  if (enhancedStatusCode === undefined || UNDEFINED_STATUS.test(enhancedStatusCode)) {
    return OF_ITSELF.includes(category);
  }
  return OF_THE_SYSTEM.test(enhancedStatusCode);
}
