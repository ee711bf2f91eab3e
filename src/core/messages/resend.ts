// A resent message has its own body. A shared body would have to outlive the retention of the first message, or be
// searched in the whole account by an erasure.

import { messageEvent } from "../../events/message-event.ts";
import { addressKey, domainOf } from "../../message/address/addresses.ts";
import type { MessageBody } from "../../message/content.ts";
import { findBody } from "../../message/header/source-headers.ts";
import { readSubmittedHeader } from "../../message/header/submitted-header.ts";
import { withMessageId } from "../../message/header/with-message-id.ts";
import { type Fault, fault } from "../../shared/fault.ts";
import { type FaultText, say } from "../../shared/fault-text.ts";
import { newIdInBucket } from "../../shared/ids.ts";
import { isFinal } from "../../shared/message-state.ts";
import { isOfService } from "../../shared/operations.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { PolicyDocument } from "../../store/policy-document.ts";
import type { Dependencies } from "../dependencies.ts";
import { bucketOfRequest, checkIdempotencyKey, type IdempotentRequest } from "../send/idempotency.ts";
import type { Submission } from "../send/intake.ts";
import { messageDocument } from "../send/message-document.ts";
import { storeOnce } from "../send/store-once.ts";

/** What sending a message once more needs of what the core has. */
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

/** One message that is to be sent once more. */
export interface ResendOrder {
  readonly message: MessageDocument;
  /** Who wants it: counted in the place of a key. */
  readonly wantedBy: string;
  readonly traceId: string;
  /** Aborted: nobody waits for it any more, and nothing is to be stored. */
  readonly signal: AbortSignal;
  /** What makes a repetition of the order the same one: a key of the caller's, or the id of the new message. Missing: nothing. */
  readonly once?: { readonly key: string } | { readonly id: string };
}

export interface Resent {
  /** The new one. */
  readonly message: MessageDocument;
  /** An earlier order has made it. */
  readonly replayed: boolean;
}

export type Resend = (order: ResendOrder) => Promise<Resent>;

/** Each stands in the timeline of the message, which is read as a whole. */
const MAX_RESENDS = 100;

/**
 * Makes a new message of one that is finished, by the rules that submissions are held to:
 *
 * 1. it is counted
 * 2. it must be finished, a customer's own, of somebody who may still send so, by a policy that is still there
 * 3. its body is read, and stored again
 * 4. the new message is stored, once
 * 5. the timeline of the former one says so; an order that is repeated writes that again, so that a crash does not lose it
 *
 * Whether its recipient is on the suppression list is asked when it is about to leave, as for all mail.
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
    const resends = (await events.listOfMessage(id)).filter(({ kind }) => kind === "resent");
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
      // How it is treated on its way depends on how it was submitted first.
      operation: former.operation,
      source: former.source ?? "http",
      from,
      recipient: former.recipient,
      ...withoutUndefined({ notify, originalRecipient, envelopeId, returnContent, utf8Header, envelopeFrom }),
      ...withoutUndefined({ tracking, incidentId: former.incidentId }),
      notDelivered: [],
      subject: former.subject,
      // Not after the message: where an order comes twice, each brings a body, and one of the two is removed.
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
    // A body of its own: that of the former one goes when the former one's time is over, or somebody wants that erased, and who
    // removes it asks only messages of the same submission whether they need it.
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

  /** @returns undefined: it is there already */
  async function storeNew(
    order: ResendOrder,
    idempotent: IdempotentRequest | undefined,
  ): Promise<MessageDocument | undefined> {
    const { message: former, signal } = order;
    // First of all: an erasure that begins after it was looked for is about what is accepted now, too.
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
    const event = messageEvent(former, { ...facts, reply: { detail: `as ${copy._id}` } });
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

/** The reason why a message is not sent once more; undefined: it can be. */
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
 * A key counts for its message alone. The space keeps it apart from the keys that come with submissions, which have none.
 * @throws Fault request.malformed_header
 */
function idempotentRequest({ message, once }: ResendOrder): IdempotentRequest | undefined {
  if (!once || !("key" in once)) return undefined;
  checkIdempotencyKey(once.key);
  const { _id: id, accountId, operation } = message;
  const apiKey = { accountId, senders: [] };
  return { apiKey, operation, key: `resend ${id} ${once.key}`, fingerprint: "resend" };
}

/** The body as it is sent once more: receivers drop what has a Message-ID that they have seen. */
function renamedBody({ _id, headerMessageId: former }: MessageDocument, body: MessageBody, fresh: string) {
  if (body.kind === "composed") return { body, fields: { headerMessageId: fresh } };
  const renamed = withMessageId(body.source, fresh);
  if (!renamed.ok) throw unreadable(_id, renamed.message.text);
  const { source, isRenamed } = renamed;
  const fields = { headerMessageId: isRenamed ? fresh : former, sizeBytes: source.length };
  return { body: { kind: "raw" as const, source }, fields };
}
