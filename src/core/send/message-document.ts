import { domainOf } from "../../message/address/addresses.ts";
import { bucketOf } from "../../shared/ids.ts";
import type { PartitionOf } from "../../shared/partition.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { KeyDocument } from "../../store/documents.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { PolicyDocument } from "../../store/policy-document.ts";
import type { IdempotentRequest } from "./idempotency.ts";

type Field =
  | "traceId"
  | "operation"
  | "source"
  | "from"
  | "recipient"
  | "notDelivered"
  | "subject"
  | "contentId"
  | "sizeBytes"
  | "headerMessageId"
  | "tags"
  | "metadata";
type OptionalField =
  | "envelopeFrom"
  | "notify"
  | "originalRecipient"
  | "envelopeId"
  | "returnContent"
  | "utf8Header"
  | "resentFrom"
  | "incidentId"
  | "tracking";

export interface NewMessage
  extends Required<Pick<MessageDocument, Field>>,
    Partial<Pick<MessageDocument, OptionalField>> {
  readonly id: string;
  readonly key: Pick<KeyDocument, "_id" | "accountId">;
  readonly policy: PolicyDocument;
  readonly template?: MessageDocument["template"] | undefined;
  /** undefined: immediately. */
  readonly sendAt?: Date | undefined;
  readonly idempotent: IdempotentRequest | undefined;
  readonly now: Date;
  readonly partitionOf: PartitionOf;
}

/** Stored form of an accepted message for one recipient. */
export function messageDocument(accepted: NewMessage): MessageDocument {
  const { id, key, recipient, policy, template, sendAt, idempotent, now, partitionOf } = accepted;
  const recipientDomain = domainOf(recipient);
  const { envelopeFrom, notify, originalRecipient, envelopeId, returnContent } = accepted;
  const { utf8Header, resentFrom, incidentId, tracking } = accepted;
  return {
    _id: id,
    bucket: bucketOf(id),
    accountId: key.accountId,
    keyId: key._id,
    traceId: accepted.traceId,
    operation: accepted.operation,
    source: accepted.source,
    state: sendAt ? "scheduled" : "queued",
    from: accepted.from,
    recipient,
    ...withoutUndefined({ envelopeFrom, notify, originalRecipient, envelopeId, returnContent }),
    ...withoutUndefined({ utf8Header, resentFrom, incidentId, tracking }),
    recipientDomain,
    notDelivered: accepted.notDelivered,
    subject: accepted.subject,
    policy: policy.name,
    contentId: accepted.contentId,
    sizeBytes: accepted.sizeBytes,
    headerMessageId: accepted.headerMessageId,
    tags: accepted.tags,
    metadata: accepted.metadata,
    partition: partitionOf(key.accountId, policy.name, recipientDomain),
    priority: policy.priority ?? "transactional",
    attempts: 0,
    nextAttemptAt: sendAt ?? now,
    ...withoutUndefined({
      template,
      sendAt,
      idempotencyKey: idempotent?.key,
      fingerprint: idempotent?.fingerprint,
    }),
    createdAt: now,
    updatedAt: now,
  };
}
