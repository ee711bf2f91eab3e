import { domainOf } from "../message/address/addresses.ts";
import type { MessageBody } from "../message/content.ts";
import { type DkimSigner, signDkim } from "../message/dkim/sign.ts";
import { withoutUndefined } from "../message/dsn/report.ts";
import { countHops } from "../message/header/received-field.ts";
import { composeMime } from "../message/mime/compose-mime.ts";
import { type SevenBit, toSevenBit } from "../message/mime/seven-bit/to-seven-bit.ts";
import { moreTelling } from "../message/replies/more-telling.ts";
import { type Reply, safeDetail, type TransportOutcome } from "../message/replies/outcome.ts";
import { SERVICE_NOT_AVAILABLE } from "../message/replies/reply-rule.ts";
import { type UnsubscribeUrl, withListUnsubscribe } from "../message/unsubscribe/list-unsubscribe.ts";
import { sourceWithListUnsubscribe } from "../message/unsubscribe/source-list-unsubscribe.ts";
import { hardBounce } from "../notices/hard-bounce.ts";
import { type Notice, noticeOf } from "../notices/notice-of.ts";
import type { Clock } from "../shared/clock.ts";
import { Fault } from "../shared/fault.ts";
import type { Logger } from "../shared/logger.ts";
import type { MessageState } from "../shared/message-state.ts";
import { FORWARD, isOfService, SMTP_SUBMIT } from "../shared/operations.ts";
import type { EventDocument, MessageDocument } from "../store/documents.ts";
import { eventId } from "../store/event-store.ts";
import type { NewSuppression } from "../store/merge-suppression.ts";
import type { PolicyDocument } from "../store/policy-document.ts";
import type { MessageTransition } from "../store/queue-store.ts";
import type { CheckSuppression, Suppressed } from "./queue/check-suppression.ts";
import { type LoadContent, UnreadableBodyError } from "./queue/load-content.ts";
import { nextAttemptAt } from "./retry-schedule.ts";
import type { Feedback } from "./routing/destination-limits.ts";
import type { Envelope } from "./smtp-client/envelope.ts";
import type { OpenConnections } from "./smtp-client/open-connections.ts";
import type { Job } from "./transports/transport.ts";
import type { TransportFor } from "./transports/transport-cache.ts";
import { transportsFor } from "./transports/transports-for.ts";

/** How an attempt ended: what it says of the address, the event, the notice, then the state that follows from it. */
export interface AttemptResult {
  readonly suppression?: NewSuppression;
  readonly event: EventDocument;
  /** What its sender is to be told. */
  readonly notice?: Notice;
  readonly transition: Omit<MessageTransition, "epoch">;
  /** What the destination said about how much it takes. */
  readonly feedback: Feedback;
}

/** What an attempt says that is not the last one. */
interface Retry {
  readonly retryAt?: Date;
  /** When it will be given up. */
  readonly expiresAt?: Date;
}

export interface DeliverOptions {
  /** Asked before every attempt. */
  readonly checkSuppression: CheckSuppression;
  /** For how long an address that is not valid receives nothing; undefined: for ever. */
  readonly suppressionMs: number | undefined;
  readonly loadContent: LoadContent;
  /** The policy as it is now, a few seconds old at most. */
  readonly findPolicy: (accountId: string, name: string) => Promise<PolicyDocument | undefined>;
  /** The DKIM keys that sign for a domain of the account; empty: the message goes unsigned. */
  readonly findSigners: (accountId: string, domain: string) => Promise<readonly DkimSigner[]>;
  /** The envelope sender of a message: where bounces go. */
  readonly returnPathOf: (message: MessageDocument) => string;
  /** The transport of these settings, shared by all messages that use it. */
  readonly transportFor: TransportFor;
  /** Where the links of List-Unsubscribe lead; undefined: this worker does not know. */
  readonly unsubscribeUrl: UnsubscribeUrl | undefined;
  readonly clock: Clock;
  /** Delivery is given up this long after a message was due first, unless the policy says otherwise. */
  readonly maxAgeMs: number;
  /** A message that has passed more servers than this runs in circles. */
  readonly maxHops: number;
  readonly retentionMs: number;
  /** Delivery is tried no longer, whatever a policy says: bodies are not kept for ever. */
  readonly longestAgeMs?: number;
  readonly log?: Logger;
}

/** What an attempt may use. */
export interface AttemptMeans {
  /** The body, when it is at hand; otherwise it is loaded. */
  readonly body?: MessageBody | undefined;
  /** Whether the message is still to be sent from here: asked before each transport and each step to the final dot. */
  readonly mayFinish?: () => boolean;
  /** Those to its destination: the ones that it uses are counted there. */
  readonly connections?: OpenConnections;
}

/** The attempt was given up before any server could have the message: nothing is to be recorded. */
export class AbandonedError extends Error {
  override readonly name = "AbandonedError";
}

/**
 * Makes one attempt.
 * @throws Fault store.unavailable: nothing was attempted
 * @throws AbandonedError
 */
export type Deliver = (message: MessageDocument, means?: AttemptMeans) => Promise<AttemptResult>;

/** Where an outcome comes from that no server was asked about. */
const HERE = "hermod";

/** One attempt over the transports of the message's policy, in their order. */
export function createDeliver(options: DeliverOptions): Deliver {
  const { loadContent, findPolicy, findSigners, transportFor, unsubscribeUrl, clock, maxHops, retentionMs } =
    options;
  const { checkSuppression, suppressionMs, returnPathOf, longestAgeMs, log } = options;

  function ended(
    message: MessageDocument,
    to: MessageState,
    reply: Reply,
    { retryAt, expiresAt }: Retry = {},
  ): AttemptResult {
    const at = clock.now();
    const notice = noticeOf({ message, to, reply, at, retryAt, expiresAt });
    const attempts = message.attempts + 1;
    const expireAt = new Date(at.getTime() + retentionMs);
    return {
      ...(reply.addressInvalid &&
        message.operation !== FORWARD &&
        to === "bounced" && {
          suppression: hardBounce({ message, detail: reply.detail, at, suppressionMs }),
        }),
      event: {
        _id: eventId(message._id, attempts, to),
        messageId: message._id,
        accountId: message.accountId,
        traceId: message.traceId,
        kind: to,
        attempt: attempts,
        at,
        expireAt,
        via: reply.via,
        ...(reply.code !== undefined && { replyCode: reply.code }),
        ...(reply.enhancedStatusCode !== undefined && { enhancedStatusCode: reply.enhancedStatusCode }),
        ...(reply.category !== undefined && { category: reply.category }),
        detail: reply.detail,
        ...(retryAt && { nextAttemptAt: retryAt }),
      },
      ...(notice && { notice }),
      transition: {
        messageId: message._id,
        to,
        attempts,
        at,
        ...(retryAt ? { nextAttemptAt: retryAt } : { expireAt }),
      },
      feedback: reply.via === HERE ? "unattempted" : feedbackOf(to, reply),
    };
  }

  function failed(message: MessageDocument, detail: string): AttemptResult {
    return ended(message, "failed", { via: HERE, detail: safeDetail(detail) });
  }

  /** No server was asked: the event stands beside the attempt before. */
  function suppressed(message: MessageDocument, { to, detail }: Suppressed): AttemptResult {
    const result = ended(message, to, { via: HERE, detail });
    if (to === "bounced") return result;
    const attempt = message.attempts;
    return { ...result, event: { ...result.event, _id: eventId(message._id, attempt, to), attempt } };
  }

  function afterTransport(
    message: MessageDocument,
    { maxAgeMs = options.maxAgeMs, retryWaitsMs }: Pick<PolicyDocument, "maxAgeMs" | "retryWaitsMs">,
    { kind, reply }: TransportOutcome,
  ): AttemptResult {
    if (kind === "abandoned") throw new AbandonedError(reply.detail);
    if (kind !== "deferred" && kind !== "unreachable") return ended(message, kind, reply);
    const due = message.sendAt ?? message.createdAt;
    const now = clock.now();
    const expiresAt = new Date(due.getTime() + Math.min(maxAgeMs, longestAgeMs ?? maxAgeMs));
    const scheduled = nextAttemptAt(message.attempts + 1, now, expiresAt, retryWaitsMs);
    const retryAt = scheduled && latest(scheduled, askedFor(reply, now, expiresAt));
    return retryAt
      ? ended(message, "deferred", reply, { retryAt, expiresAt })
      : ended(message, "expired", reply);
  }

  return async (message, means) => {
    try {
      return await attempt(message, means);
    } catch (error) {
      if (error instanceof AbandonedError || isStoreAway(error)) throw error;
      if (error instanceof UnreadableBodyError) return failed(message, error.message);
      // Counted as an attempt, or it would be made again for ever, and at once.
      log?.error({ err: error, message: message._id, traceId: message.traceId }, "an attempt broke off");
      const reply: Reply = { via: HERE, detail: safeDetail(`the attempt broke off: ${error}`) };
      return afterTransport(message, {}, { kind: "unreachable", reply });
    }
  };

  async function attempt(
    message: MessageDocument,
    { body: atHand, mayFinish, connections }: AttemptMeans = {},
  ): Promise<AttemptResult> {
    const suppression = await checkSuppression(message);
    if (suppression) return suppressed(message, suppression);
    const policy = await findPolicy(message.accountId, message.policy);
    if (!policy) return failed(message, `the routing policy "${message.policy}" is gone`);
    const body = atHand ?? (await loadContent(message));
    if (!body) return failed(message, "the body is past its retention");
    if (wantsListUnsubscribe(message, policy) && !unsubscribeUrl)
      return afterTransport(message, policy, withoutBaseUrl);
    const job = await composeJob(message, policy, body);
    if ("fault" in job) return failed(message, job.fault);
    const hops = countHops(job.source);
    if (hops > maxHops) return ended(message, "bounced", loopReply(hops));
    return afterTransport(message, policy, await tryTransports(policy, { ...job, mayFinish, connections }));
  }

  function sourceOf(message: MessageDocument, policy: PolicyDocument, body: MessageBody): Buffer {
    const { _id: messageId, accountId, recipient, headerMessageId, createdAt: date } = message;
    const url =
      wantsListUnsubscribe(message, policy) && unsubscribeUrl
        ? () => unsubscribeUrl({ accountId, policy: policy.name, recipient, messageId })
        : undefined;
    if (body.kind === "raw") return url ? sourceWithListUnsubscribe(body.source, url) : body.source;
    const content = url ? withListUnsubscribe(body.content, url) : body.content;
    return composeMime({ content, messageId: headerMessageId, date });
  }

  async function composeJob(
    message: MessageDocument,
    policy: PolicyDocument,
    body: MessageBody,
  ): Promise<Job | { readonly fault: string }> {
    const domain = domainOf(message.from);
    // What strangers have written is vouched for by nobody here.
    const isForeign = message.operation === FORWARD;
    const signers = isForeign ? [] : await findSigners(message.accountId, domain);
    try {
      const unsigned = sourceOf(message, policy, body);
      const source = await sign(unsigned, domain, signers);
      const convert = async (): Promise<SevenBit> => {
        // A view of what is held anyway. Signatures are made of what is sent.
        const converted = await toSevenBit(source.subarray(source.length - unsigned.length));
        return converted.ok ? { ok: true, source: await sign(converted.source, domain, signers) } : converted;
      };
      let sevenBit: Promise<SevenBit> | undefined;
      return {
        message,
        envelope: envelopeOf(message),
        source,
        sevenBit: () => {
          sevenBit ??= convert().catch((error) => ({ ok: false, reason: `cannot be converted: ${error}` }));
          return sevenBit;
        },
      };
    } catch (error) {
      return { fault: error instanceof Error ? error.message : String(error) };
    }
  }

  function envelopeOf(message: MessageDocument): Envelope {
    const { recipient, notify, originalRecipient, envelopeId, returnContent } = message;
    const dsn = withoutUndefined({ notify, originalRecipient, envelopeId, returnContent });
    const isSubmitted = message.operation === SMTP_SUBMIT || message.operation === FORWARD;
    const legacyHeader = isSubmitted && !message.utf8Header;
    return { from: returnPathOf(message), to: [recipient], dsn, legacyHeader };
  }

  async function sign(source: Buffer, domain: string, signers: readonly DkimSigner[]): Promise<Buffer> {
    if (signers.length === 0) return source;
    const signatures = await signDkim({ source, domain, signers, now: clock.now() });
    return Buffer.concat([signatures, source]);
  }

  async function tryTransports(policy: PolicyDocument, job: Job): Promise<TransportOutcome> {
    let outcome: TransportOutcome | undefined;
    for (const settings of transportsFor(policy, domainOf(job.message.recipient))) {
      if (job.mayFinish?.() === false)
        throw new AbandonedError("the message is no longer to be sent from here");
      const tried = await transportFor(settings, policy).deliver(job);
      if (tried.kind !== "unreachable") return tried;
      outcome = moreTelling(outcome, tried);
    }
    return outcome ?? { kind: "unreachable", reply: { via: HERE, detail: "the policy has no transport" } };
  }
}

/** The one fault that passes: nothing was attempted. */
function isStoreAway(error: unknown): boolean {
  return error instanceof Fault && error.code === "store.unavailable";
}

/** Nobody has subscribed to what the service itself tells. */
function wantsListUnsubscribe(
  { operation }: MessageDocument,
  { listUnsubscribe = false }: PolicyDocument,
): boolean {
  return listUnsubscribe && !isOfService(operation);
}

/** Put off, for another worker may know better: mail that cannot be stopped is not what the policy promises. */
const withoutBaseUrl: TransportOutcome = {
  kind: "deferred",
  reply: {
    via: HERE,
    detail: "the policy wants List-Unsubscribe, for which this worker needs an https HERMOD_BASE_URL",
  },
};

/** Routing loop detected (RFC 3463 section 3.5). */
function loopReply(hops: number): Reply {
  const detail = `the message has passed ${hops} servers: it runs in circles`;
  return { via: HERE, enhancedStatusCode: "5.4.6", detail, category: "other" };
}

/** When the server wants to be asked again, or at the last moment if that comes earlier. */
function askedFor({ retryAfterSeconds }: Reply, now: Date, expiresAt: Date): Date | undefined {
  if (retryAfterSeconds === undefined) return undefined;
  const at = new Date(now.getTime() + retryAfterSeconds * 1000);
  return at < expiresAt ? at : expiresAt;
}

function feedbackOf(to: MessageState, reply: Reply): Feedback {
  if (to === "delivered" || to === "captured") return "accepted";
  if (reply.greylisted) return "neutral";
  if (reply.code === SERVICE_NOT_AVAILABLE || reply.category === "rate_limit") return "slow_down";
  // Security or policy status, for now (RFC 3463 section 3.8): how big providers tell strangers to send less.
  return reply.enhancedStatusCode?.startsWith("4.7.") ? "slow_down" : "neutral";
}

function latest(one: Date, other: Date | undefined): Date {
  return other && other > one ? other : one;
}
