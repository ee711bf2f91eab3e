import type { DsnFacts } from "../message/dsn/dsn.ts";
import type { DeliveryAction } from "../message/dsn/report.ts";
import { enhancedStatusCodeOf, type Reply } from "../message/replies/outcome.ts";
import type { MessageState } from "../shared/message-state.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import type { MessageDocument } from "../store/message-documents.ts";
import { remoteMtaOf } from "./remote-mta.ts";
import { wantsNotice } from "./wants-notice.ts";

/** Content of a notice to the sender of a message. */
export interface Notice {
  readonly message: MessageDocument;
  readonly facts: DsnFacts;
  /** Time at which the result became known. */
  readonly at: Date;
  /** Earliest time to send the notice. */
  readonly sendAt?: Date;
}

/** End of an attempt, or a later report. */
export interface Ending {
  readonly message: MessageDocument;
  readonly to: MessageState;
  readonly reply: Reply;
  readonly at: Date;
  /** Present for `deferred`. */
  readonly retryAt?: Date | undefined;
  /** Time at which the message expires. */
  readonly expiresAt?: Date | undefined;
}

/** A message that is not delivered within this time is delayed (RFC 5321 section 4.5.4.1 requires retries for days). */
const DELAY_MS = 4 * 3_600_000;

/** Matches results of an attempt. Results that Hermod found itself, or that were reported later, do not match. */
const ATTEMPTED = /^(?:direct|smtp|sandbox)\b/;

const ACTIONS: Partial<Readonly<Record<MessageState, DeliveryAction>>> = {
  // A later server may still bounce the message, and may report nothing if it succeeds (RFC 3461 section 5.2.2).
  delivered: "relayed",
  captured: "delivered",
  deferred: "delayed",
  bounced: "failed",
  expired: "failed",
  failed: "failed",
  suppressed: "failed",
};

/** Notice for the result of an attempt; undefined if the sender wants no notice for it. */
export function noticeOf({ message, to, reply, at, retryAt, expiresAt }: Ending): Notice | undefined {
  const action = ACTIONS[to];
  if (!action || !wantsNotice(message, action)) return undefined;
  if (to === "delivered" && reply.takesOverDsn) return undefined;
  const lateAt = new Date((message.sendAt ?? message.createdAt).getTime() + DELAY_MS);
  // The notice is due if no attempt follows before the message counts as delayed.
  if (to === "deferred" && (retryAt === undefined || retryAt < lateAt)) return undefined;
  const remoteMta = remoteMtaOf(reply.via);
  const { originalRecipient, recipient } = message;
  const facts: DsnFacts = {
    action,
    status: statusOf(to, reply),
    recipient,
    diagnostic: diagnosticOf(reply),
    ...withoutUndefined({
      originalRecipient,
      remoteMta,
      lastAttemptAt: ATTEMPTED.test(reply.via) ? at : undefined,
      willRetryUntil: to === "deferred" ? expiresAt : undefined,
    }),
  };
  return { message, facts, at, ...(to === "deferred" && lateAt > at && { sendAt: lateAt }) };
}

/** Status code of the server if it fits, otherwise the code that RFC 3463 has for the case. */
function statusOf(to: MessageState, reply: Reply): string {
  const status = reply.enhancedStatusCode ?? enhancedStatusCodeOf(reply.detail);
  switch (to) {
    case "delivered":
    case "captured":
      return status?.startsWith("2.") ? status : "2.0.0";
    case "deferred":
      return status?.startsWith("4.") ? status : "4.0.0";
    case "expired":
      return "4.4.7";
    case "suppressed":
      return "5.7.1";
    case "failed":
      return "5.3.0";
    default:
      if (status !== undefined && !status.startsWith("2.")) return status;
      return reply.addressInvalid ? "5.1.1" : "5.0.0";
  }
}

function diagnosticOf({ code, detail }: Reply): NonNullable<DsnFacts["diagnostic"]> {
  if (code === undefined) return { type: "x-hermod", text: detail };
  return { type: "smtp", text: detail.startsWith(`${code}`) ? detail : `${code} ${detail}` };
}
