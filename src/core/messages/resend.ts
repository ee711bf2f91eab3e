// A resent message has its own body. A shared body would have to outlive the retention of the first message, or be
// searched in the whole account by an erasure.

import { messageEvent } from "../../events/message-event.ts";
import { addressKey } from "../../message/address/address-key.ts";
import { domainOf } from "../../message/address/addresses.ts";
import type { MessageBody } from "../../message/content.ts";
import { findBody } from "../../message/header/source-headers.ts";
import { readSubmittedHeader } from "../../message/header/submitted-header.ts";
import { withMessageId } from "../../message/header/with-message-id.ts";
import { type Fault, fault } from "../../shared/fault.ts";
import { type FaultText, say } from "../../shared/fault-text.ts";
import { newIdInBucket } from "../../shared/ids.ts";
import { isFinal } from "../../shared/message-state.ts";
import { isOfService } from "../../shared/operations.ts";
import { detailFields, phrase } from "../../shared/phrase.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { PolicyDocument } from "../../store/policy-document.ts";
import type { Dependencies } from "../dependencies.ts";
import { bucketOfRequest, checkIdempotencyKey, type IdempotentRequest } from "../send/idempotency.ts";
import type { Submission } from "../send/intake.ts";
import { messageDocument } from "../send/message-document.ts";
import { storeOnce } from "../send/store-once.ts";

/** Dependencies of sending a message again, selected from those of the core. */
export type ResendNeeds = Pick<
  Dependencies,
  | "store"
  | "settings"
  | "verifySender"
  | "rateLimits"
  | "idempotency"
  | "intake"
  | "budget"
  | "limits"
  | "partitionOf"
  | "retention"
  | "clock"
  | "measured"
>;

/** Request to send one message again. */
export interface ResendOrder {
  readonly message: MessageDocument;
  /** Actor that requests it; it is counted in place of a key. */
  readonly wantedBy: string;
  readonly traceId: string;
  /** Aborted: the caller no longer waits, and nothing must be stored. */
  readonly signal: AbortSignal;
  /**
   * Makes a repeated order identical: a key of the caller, or the id of the new message. Missing: each order is new.
   */
  readonly once?: { readonly key: string } | { readonly id: string };
}

export interface Resent {
  /** The new message. */
  readonly message: MessageDocument;
  /** An earlier order has created it. */
  readonly replayed: boolean;
}

export type Resend = (order: ResendOrder) => Promise<Resent>;

/** Each one is stored in the timeline of the message, which is read completely. */
const MAX_RESENDS = 100;

/**
 * Creates a new message from a finished one, by the rules of submissions:
 *
 * 1. counts it
 * 2. checks that it is finished, that it is a customer's message, that its sender may still send, and that its policy
 *    exists
 * 3. reads its body, and stores it again
 * 4. stores the new message, once
 * 5. records it in the timeline of the original; a repeated order writes the record again, so that a crash does not
 *    lose it
 *
 * The suppression list is checked before the delivery attempt, as for all mail.
 */
export function createResend(needs: ResendNeeds): Resend {
  const { store, settings, verifySender, rateLimits, idempotency, intake, budget, clock, partitionOf } =
    needs;
  const { retention, limits } = needs;

  /** @throws Fault message.not_resendable */
  async function checkHistory(message: MessageDocument): Promise<void> {
    const { _id: id, accountId, recipient } = message;
    const reason = whyNotResent(message);
    if (reason === "own_message") throw notResendable(say("own_message", { id }));
    if (reason !== undefined) throw notResendable(say("message_not_final", { id, state: message.state }));
    const { erasures, events } = store.forAccount(accountId);
    if (await erasures.isOpenFor(addressKey(recipient))) {
      throw notResendable(say("recipient_erased", { id }));
    }
    const resends = (await events.listOf(message)).filter(({ kind }) => kind === "resent");
    if (resends.length >= MAX_RESENDS) throw notResendable(say("resent_too_often", { id, max: MAX_RESENDS }));
  }

  /** @throws Fault sender.unverified, policy.unknown, message.too_large */
  async function checkRights(message: MessageDocument): Promise<PolicyDocument> {
    const { accountId, from, envelopeFrom, policy: name, sizeBytes } = message;
    const owner = { accountId, senders: [] };
    for (const sender of new Set([from, envelopeFrom ?? from])) await verifySender(sender, owner);
    const policy = await settings.policy(accountId, name);
    if (!policy) throw fault("policy.unknown", { public: say("no_policy_any_more", { name }) });
    if (sizeBytes <= limits.messageBytes) return policy;
    throw fault("message.too_large", {
      public: say("message_octets_allowed_now", { actual: sizeBytes, max: limits.messageBytes }),
    });
  }

  /** @throws Fault message.body_gone, message.unreadable, sender.unverified */
  async function readBody({ _id: id, accountId, contentId }: MessageDocument): Promise<MessageBody> {
    const body = await store.forAccount(accountId).contents.load(contentId);
    if (!body) {
      throw fault("message.body_gone", { public: say("body_message_not_kept_any_more", { id }) });
    }
    if (body.kind === "unreadable") throw unreadable(id, body.reason);
    if (body.kind === "composed") return body;
    const bodyAt = findBody(body.source);
    const header = readSubmittedHeader(bodyAt === -1 ? body.source : body.source.subarray(0, bodyAt));
    if (!header.ok) throw unreadable(id, header.message.text);
    for (const sender of header.alsoFrom) await verifySender(sender, { accountId, senders: [] });
    return body;
  }

  async function submissionOf(
    { message: former, traceId, once }: ResendOrder,
    idempotent: IdempotentRequest | undefined,
    now: Date,
  ): Promise<Submission> {
    const policy = await checkRights(former);
    const body = await readBody(former);
    const { accountId, from } = former;
    const bucket = bucketOfRequest(idempotent, traceId);
    const id = once && "id" in once ? once.id : newIdInBucket("msg", now, bucket);
    const renamed = renamedBody(former, body, `<${id}@${domainOf(from)}>`);
    const { notify, originalRecipient, envelopeId, returnContent, utf8Header, envelopeFrom } = former;
    const { tracking } = former;
    const message = messageDocument({
      id,
      key: { _id: "", accountId },
      policy,
      traceId,
      // Its treatment depends on its original submission.
      operation: former.operation,
      source: former.source ?? "http",
      from,
      recipient: former.recipient,
      ...withoutUndefined({ notify, originalRecipient, envelopeId, returnContent, utf8Header, envelopeFrom }),
      ...withoutUndefined({ tracking, incidentId: former.incidentId }),
      notDelivered: [],
      subject: former.subject,
      // Not derived from the message: if an order arrives twice, each stores a body, and one of them is removed.
      contentId: newIdInBucket("cnt", now, bucket),
      tags: former.tags,
      metadata: former.metadata,
      template: former.template,
      resentFrom: former._id,
      idempotent,
      now,
      partitionOf,
      sizeBytes: former.sizeBytes,
      ...renamed.fields,
    });
    // The new message has its own body. The original body is removed after its retention time or by an erasure, which
    // only check whether messages of the same submission need it.
    const content = {
      id: message.contentId,
      accountId,
      body: renamed.body,
      sizeBytes: message.sizeBytes,
      createdAt: now,
      expireAt: new Date(now.getTime() + retention.contentMs),
    };
    return { message, content };
  }

  /** @returns undefined: it already exists */
  async function storeNew(
    order: ResendOrder,
    idempotent: IdempotentRequest | undefined,
  ): Promise<MessageDocument | undefined> {
    const { message: former, signal } = order;
    // Checked first: an erasure that starts after this check also covers messages that are accepted now.
    const now = clock.now();
    await checkHistory(former);
    const submission = await submissionOf(order, idempotent, now);
    signal.throwIfAborted();
    const outcome = await intake.store({ ...submission, signal });
    return outcome === "stored" ? submission.message : undefined;
  }

  async function findEarlier({ message, once }: ResendOrder, idempotent: IdempotentRequest | undefined) {
    if (idempotent) return idempotency.findEarlier(idempotent);
    if (!once || !("id" in once)) return undefined;
    return (await store.forAccount(message.accountId).messages.findById(once.id)) ?? undefined;
  }

  async function resend(order: ResendOrder, idempotent: IdempotentRequest | undefined): Promise<Resent> {
    const outcome = await storeOnce({
      isKeyed: idempotent !== undefined,
      store: () => storeNew(order, idempotent),
      findEarlier: () => findEarlier(order, idempotent),
    });
    const copy = "stored" in outcome ? outcome.stored : outcome.earlier;
    const { message: former } = order;
    const { accountId, attempts: attempt } = former;
    const expireAt = former.expireAt ?? new Date(copy.createdAt.getTime() + retention.messageMs);
    const facts = {
      kind: "resent",
      name: `resent-${copy._id}`,
      attempt,
      at: copy.createdAt,
      expireAt,
    } as const;
    const event = messageEvent(former, {
      ...facts,
      reply: detailFields(phrase("message.resent", { id: copy._id })),
    });
    await store.forAccount(accountId).events.insertMissing([event]);
    return { message: copy, replayed: "earlier" in outcome };
  }

  return needs.measured(async (order: ResendOrder) => {
    const { accountId, sizeBytes } = order.message;
    const owner = { keyId: `${accountId}.${order.wantedBy}`, accountId };
    const idempotent = idempotentRequest(order);
    await rateLimits.consume(owner.keyId, accountId);
    const reservation = budget.reserve(owner, sizeBytes);
    try {
      if (!idempotent) return await resend(order, undefined);
      return await idempotency.exclusively(idempotent, () => resend(order, idempotent));
    } finally {
      reservation.release();
    }
  });
}

/** Reason why a message cannot be sent again; undefined: it can be. */
export function whyNotResent({ state, operation }: Pick<MessageDocument, "state" | "operation">) {
  if (isOfService(operation)) return "own_message" as const;
  return isFinal(state) ? undefined : ("message_not_final" as const);
}

function notResendable(text: FaultText): Fault {
  return fault("message.not_resendable", { public: text });
}

function unreadable(id: string, reason: string): Fault {
  return fault("message.unreadable", { public: say("body_message_cannot_read", { id, detail: reason }) });
}

/**
 * A key is valid for one message. A separate name space distinguishes it from the keys of submissions.
 * @throws Fault request.malformed_header
 */
function idempotentRequest({ message, once }: ResendOrder): IdempotentRequest | undefined {
  if (!once || !("key" in once)) return undefined;
  checkIdempotencyKey(once.key);
  const { _id: id, accountId, operation } = message;
  const apiKey = { accountId, senders: [] };
  return { apiKey, operation, key: `resend ${id} ${once.key}`, fingerprint: "resend" };
}

/** Body for sending again: receivers discard a message with a known Message-ID. */
function renamedBody({ _id, headerMessageId: former }: MessageDocument, body: MessageBody, fresh: string) {
  if (body.kind === "composed") return { body, fields: { headerMessageId: fresh } };
  const renamed = withMessageId(body.source, fresh);
  if (!renamed.ok) throw unreadable(_id, renamed.message.text);
  const { source, isRenamed } = renamed;
  const fields = { headerMessageId: isRenamed ? fresh : former, sizeBytes: source.length };
  return { body: { kind: "raw" as const, source }, fields };
}
