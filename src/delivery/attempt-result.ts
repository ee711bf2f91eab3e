import { messageEvent } from "../events/message-event.ts";
import { detailOf, type Reply, type TransportOutcome } from "../message/replies/outcome.ts";
import { SERVICE_NOT_AVAILABLE } from "../message/replies/reply-rule.ts";
import { hardBounce } from "../notices/hard-bounce.ts";
import { type Notice, noticeOf } from "../notices/notice-of.ts";
import { type AgeBounds, expiryOf, nextAttemptAt } from "../routing/retry-schedule.ts";
import type { Clock } from "../shared/clock.ts";
import type { MessageState } from "../shared/message-state.ts";
import { FORWARD } from "../shared/operations.ts";
import type { Phrase } from "../shared/phrase.ts";
import type { NewEvent } from "../store/journal/journal-documents.ts";
import type { NewSuppression } from "../store/merge-suppression.ts";
import type { EventDocument, MessageDocument, RetryReason } from "../store/message-documents.ts";
import type { PolicyDocument } from "../store/policy-document.ts";
import type { MessageTransition } from "../store/queue-store.ts";
import type { Feedback } from "./routing/destination-limits.ts";

/** Writes of an attempt in this order: the suppression of the address, the event, the notice, then the state. */
export interface AttemptResult {
  /** The message before the attempt. */
  readonly message: MessageDocument;
  readonly suppression?: NewSuppression;
  readonly event: NewEvent;
  /** The notice to its sender. */
  readonly notice?: Notice;
  readonly transition: Omit<MessageTransition, "epoch">;
  /** Feedback of the destination about its capacity. */
  readonly feedback: Feedback;
}

/**
 * Result of an attempt, from a transport or before one was used.
 *
 * - `failed`: the message cannot be sent, permanently
 * - `suppressed`: it must not be sent; no server was contacted, so the event belongs to the previous attempt
 */
export interface AttemptOutcome {
  readonly kind: Exclude<TransportOutcome["kind"], "abandoned"> | "failed" | "suppressed";
  readonly reply: Reply;
  /** Time spent with servers; undefined: none was contacted. */
  readonly durationMs?: number;
  /** By transport, the server at which the next attempt continues. Missing: each begins with its first server. */
  readonly resumeAt?: readonly number[];
  /** The entry of the suppression list that kept it from being sent. */
  readonly suppression?: EventDocument["suppression"];
  /** The rule that chose the transports. Missing: none was chosen. */
  readonly decidedBy?: EventDocument["decidedBy"];
}

export interface AttemptResultOptions extends AgeBounds {
  readonly clock: Clock;
  /** Duration of the suppression of an invalid address; undefined: forever. */
  readonly suppressionMs: number | undefined;
  /** Retention of finished messages and events. */
  readonly retentionMs: number;
}

/** Retry settings of a policy. */
export type RetrySettings = Pick<PolicyDocument, "maxAgeMs" | "retryWaitsMs">;

/** The state after an attempt. */
interface Ending {
  readonly to: MessageState;
  /** Time of the next attempt. */
  readonly retryAt?: Date;
  readonly retryReason?: RetryReason;
  /** Time at which delivery ends. */
  readonly expiresAt?: Date;
}

/** The origin of a reply without a server. */
const HERE = "hermod";

/** A reply of Hermod itself, in the form of a server's reply. */
export function ownReply(wording: Phrase, more: Pick<Reply, "enhancedStatusCode" | "category"> = {}): Reply {
  return { via: HERE, ...detailOf(wording), ...more };
}

/** The result of an attempt that has ended now. */
export function attemptResult(
  message: MessageDocument,
  outcome: AttemptOutcome,
  settings: RetrySettings,
  options: AttemptResultOptions,
): AttemptResult {
  const { reply, durationMs, resumeAt = [] } = outcome;
  const at = options.clock.now();
  const { to, retryAt, retryReason, expiresAt } = endingOf(message, outcome, at, settings, options);
  const attempts = message.attempts + 1;
  const attempt = to === "suppressed" ? message.attempts : attempts;
  const expireAt = new Date(at.getTime() + options.retentionMs);
  const notice = noticeOf({ message, to, reply, at, retryAt, expiresAt });
  const suppression = suppressionOf(message, to, reply, at, options);
  return {
    message,
    ...(suppression && { suppression }),
    event: messageEvent(message, {
      kind: to,
      attempt,
      at,
      expireAt,
      reply,
      durationMs,
      suppression: outcome.suppression,
      decidedBy: outcome.decidedBy,
      nextAttemptAt: retryAt,
      nextAttemptReason: retryReason,
    }),
    ...(notice && { notice }),
    transition: {
      messageId: message._id,
      bucket: message.bucket,
      to,
      attempts,
      at,
      ...(retryAt ? { nextAttemptAt: retryAt } : { expireAt }),
      ...(reply.category !== undefined && !isDelivered(to) && { category: reply.category }),
      ...((message.resumeAt || resumeAt.length > 0) && { resumeAt: to === "deferred" ? resumeAt : [] }),
    },
    feedback: feedbackOf(to, reply),
  };
}

function endingOf(
  message: MessageDocument,
  { kind, reply }: AttemptOutcome,
  now: Date,
  settings: RetrySettings,
  options: AttemptResultOptions,
): Ending {
  if (kind !== "deferred" && kind !== "unreachable") return { to: kind };
  const expiresAt = expiryOf(message.sendAt ?? message.createdAt, settings, options);
  const scheduled = nextAttemptAt(message.attempts + 1, now, expiresAt, settings.retryWaitsMs);
  if (!scheduled) return { to: "expired" };
  const asked = askedFor(reply, now, expiresAt);
  if (asked && asked > scheduled) return { to: "deferred", retryAt: asked, retryReason: "server", expiresAt };
  return { to: "deferred", retryAt: scheduled, retryReason: "schedule", expiresAt };
}

/** The time that the server requested for a retry, or the last moment if that comes earlier. */
function askedFor({ retryAfterSeconds }: Reply, now: Date, expiresAt: Date): Date | undefined {
  if (retryAfterSeconds === undefined) return undefined;
  const at = new Date(now.getTime() + retryAfterSeconds * 1000);
  return at < expiresAt ? at : expiresAt;
}

function suppressionOf(
  message: MessageDocument,
  to: MessageState,
  { addressInvalid, detail }: Reply,
  at: Date,
  { suppressionMs }: AttemptResultOptions,
): NewSuppression | undefined {
  if (!addressInvalid || to !== "bounced" || message.operation === FORWARD) return undefined;
  return hardBounce({ message, detail, at, suppressionMs });
}

function isDelivered(to: MessageState): boolean {
  return to === "delivered" || to === "captured";
}

function feedbackOf(to: MessageState, reply: Reply): Feedback {
  if (reply.via === HERE) return "unattempted";
  if (isDelivered(to)) return "accepted";
  if (reply.greylisted) return "neutral";
  if (reply.code === SERVICE_NOT_AVAILABLE || reply.category === "rate_limit") return "slow_down";
  // Security or policy status, temporary (RFC 3463 section 3.8): large providers use it to make unknown senders send less.
  return reply.enhancedStatusCode?.startsWith("4.7.") ? "slow_down" : "neutral";
}
