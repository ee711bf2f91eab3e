import { messageEvent } from "../events/message-event.ts";
import { type Reply, safeDetail, type TransportOutcome } from "../message/replies/outcome.ts";
import { SERVICE_NOT_AVAILABLE } from "../message/replies/reply-rule.ts";
import { hardBounce } from "../notices/hard-bounce.ts";
import { type Notice, noticeOf } from "../notices/notice-of.ts";
import { type AgeBounds, expiryOf, nextAttemptAt } from "../routing/retry-schedule.ts";
import type { Clock } from "../shared/clock.ts";
import type { MessageState } from "../shared/message-state.ts";
import { FORWARD } from "../shared/operations.ts";
import type { NewEvent } from "../store/journal/journal-documents.ts";
import type { NewSuppression } from "../store/merge-suppression.ts";
import type { EventDocument, MessageDocument, RetryReason } from "../store/message-documents.ts";
import type { PolicyDocument } from "../store/policy-document.ts";
import type { MessageTransition } from "../store/queue-store.ts";
import type { Feedback } from "./routing/destination-limits.ts";

/** The record of an attempt: what it says of the address, the event, the notice, then the state. */
export interface AttemptResult {
  /** As it was before. */
  readonly message: MessageDocument;
  readonly suppression?: NewSuppression;
  readonly event: NewEvent;
  /** For its sender. */
  readonly notice?: Notice;
  readonly transition: Omit<MessageTransition, "epoch">;
  /** The destination's word about how much it takes. */
  readonly feedback: Feedback;
}

/**
 * How an attempt ended: as a transport said, or before one was asked.
 *
 * - `failed`: the message cannot be sent, and that will not change
 * - `suppressed`: it must not be sent; no server was asked, so the event stands beside the attempt before
 */
export interface AttemptOutcome {
  readonly kind: Exclude<TransportOutcome["kind"], "abandoned"> | "failed" | "suppressed";
  readonly reply: Reply;
  /** How long the servers took; undefined: none was asked. */
  readonly durationMs?: number;
  /** By transport, where the next attempt goes on. Missing: each at its beginning. */
  readonly resumeAt?: readonly number[];
  /** The entry of the suppression list that kept it from being sent. */
  readonly suppression?: EventDocument["suppression"];
  /** By which transports were chosen. Missing: none were. */
  readonly decidedBy?: EventDocument["decidedBy"];
}

export interface AttemptResultOptions extends AgeBounds {
  readonly clock: Clock;
  /** For how long an address that is not valid receives nothing; undefined: for ever. */
  readonly suppressionMs: number | undefined;
  /** How long finished messages and events are kept. */
  readonly retentionMs: number;
}

/** A policy on trying again. */
export type RetrySettings = Pick<PolicyDocument, "maxAgeMs" | "retryWaitsMs">;

/** The state that follows from an attempt. */
interface Ending {
  readonly to: MessageState;
  /** When the next attempt follows. */
  readonly retryAt?: Date;
  readonly retryReason?: RetryReason;
  /** When it will be given up. */
  readonly expiresAt?: Date;
}

/** The origin of a reply that no server gave. */
const HERE = "hermod";

/** A reply of Hermod's own, in the form of a server's. */
export function ownReply(detail: string, more: Omit<Partial<Reply>, "via" | "detail"> = {}): Reply {
  return { via: HERE, detail: safeDetail(detail), ...more };
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

/** When the server wants to be asked again, or at the last moment if that comes earlier. */
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
  // Security or policy status, for now (RFC 3463 section 3.8): how big providers tell strangers to send less.
  return reply.enhancedStatusCode?.startsWith("4.7.") ? "slow_down" : "neutral";
}
