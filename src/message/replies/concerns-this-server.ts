import type { RefusalClass } from "./classify-reply.ts";
import { OF_THE_MAILBOX, type ReplyCategory, type ReplyPhase, SERVICE_NOT_AVAILABLE } from "./reply-rule.ts";

export interface HeardRefusal extends Pick<RefusalClass, "category" | "permanent" | "scope" | "greylisted"> {
  readonly code: number;
  readonly enhancedStatusCode?: string | undefined;
  readonly phase: ReplyPhase;
  /** It answers the whole message, not a command. */
  readonly afterDot: boolean;
}

const BEFORE_MAIL: readonly ReplyPhase[] = ["connect", "ehlo", "starttls", "auth"];
/** The state of the mail system, and of the network and its routes (RFC 3463 sections 3.4 and 3.5). */
const OF_THE_SYSTEM = /^4\.[34]\./;
/** As good as no code (RFC 3463 section 3.1). */
const UNDEFINED_STATUS = /^4\.0\./;
/** Without a code these are what servers say of themselves; the others speak of the message and those named in it. */
const OF_ITSELF: readonly ReplyCategory[] = ["network", "dns", "tls", "other"];

/**
 * Whether a refusal is the affair of the server that gave it, so that the next one in the list may take the message in
 * the same attempt (RFC 5321 section 5.1). Greylisting and rate limits never are: the servers of one provider share
 * them, and going round them is what they are there to stop. A 4xx after the final dot says that the message was not
 * accepted (RFC 5321 section 4.2.1), so that another server cannot deliver it twice.
 */
export function concernsThisServer(refusal: HeardRefusal): boolean {
  const { code, enhancedStatusCode, phase, category, scope, permanent, greylisted, afterDot } = refusal;
  if (greylisted || category === "rate_limit") return false;
  // Every server of the domain says the same of its mailbox, and another relay would have to bounce the message.
  if (afterDot) return !permanent && code < 500 && !OF_THE_MAILBOX.includes(category);
  if (BEFORE_MAIL.includes(phase) || code === SERVICE_NOT_AVAILABLE) return true;
  if (permanent || code >= 500) return false;
  // Words such as "service unavailable" outweigh the code: a mail filter that is down answers with 4.7.1.
  if (category === "network" || (category === "other" && scope === "destination")) return true;
  if (enhancedStatusCode === undefined || UNDEFINED_STATUS.test(enhancedStatusCode)) {
    return OF_ITSELF.includes(category);
  }
  return OF_THE_SYSTEM.test(enhancedStatusCode);
}
