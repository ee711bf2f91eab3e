import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { KeySchema } from "../../gen/hermod/access/v1/key_service_pb.ts";
import type {
  EngagementSchema,
  LastReplySchema,
  MessageEventSchema,
  MessageSchema,
  PolicyChoiceSchema,
  QuarantinedMessageSchema,
} from "../../gen/hermod/message/v1/message_service_pb.ts";
import type { SandboxMessageSchema } from "../../gen/hermod/sandbox/v1/sandbox_service_pb.ts";
import type { SenderSchema } from "../../gen/hermod/sender/v1/sender_service_pb.ts";
import type { SuppressionSchema } from "../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import type {
  StoredTemplateSchema,
  TemplateSchema,
} from "../../gen/hermod/template/v1/template_service_pb.ts";
import { domainOf } from "../message/address/addresses.ts";
import { ruleReason } from "../routing/rule-reason.ts";
import { phrase } from "../shared/phrase.ts";
import { shownId } from "../shared/suppression-id.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import type * as documents from "../store/documents.ts";
import type { LastReply } from "../store/last-replies.ts";
import type {
  EngagementCount,
  EventDocument,
  MessageDocument,
  PolicyChoice,
  QuarantineDocument,
} from "../store/message-documents.ts";
import { keyRevision } from "../store/revisions.ts";
import type { CapturedSummary } from "../store/sandbox-store.ts";
import { isUnused, stateOfKey } from "./keys/key-state.ts";
import { reasonFields, toTextParts } from "./text-parts.ts";

/** Converts stored documents to the messages that callers receive, without hashes and passwords. */

/** Characters of a last reply, as lists show it. */
const MAX_SHOWN_REPLY = 200;

export function toKey(
  key: Omit<documents.KeyDocument, "hash">,
  now: Date,
): MessageInitShape<typeof KeySchema> {
  const state = stateOfKey(key, now);
  const isValid = state !== "revoked" && state !== "expired";
  return {
    id: key._id,
    accountId: key.accountId,
    name: key.name,
    kind: key.kind,
    prefix: key.prefix,
    scopeMode: key.scopeMode,
    scopes: [...key.scopes],
    senders: [...key.senders],
    allowedAddresses: [...key.allowedAddresses],
    createdAt: timestampFromDate(key.createdAt),
    ...(key.lastUsedAt && { lastUsedAt: timestampFromDate(key.lastUsedAt) }),
    ...(key.revokedAt && { revokedAt: timestampFromDate(key.revokedAt) }),
    ...(key.expiresAt && { expiresAt: timestampFromDate(key.expiresAt) }),
    lastUsedFrom: key.lastUsedFrom ?? "",
    lastUsedBy: key.lastUsedBy ?? "",
    unused: isValid && isUnused(key, now),
    ...(key.supersededAt && { supersededAt: timestampFromDate(key.supersededAt) }),
    ...(key.workspaceId !== undefined && { workspaceId: key.workspaceId }),
    revision: keyRevision(key),
    state,
  };
}

export function toSender(sender: documents.SenderDocument): MessageInitShape<typeof SenderSchema> {
  const { _id: id, accountId, kind, value, verifiedAt, verifiedBy = "operator", linkExpiresAt } = sender;
  return {
    id,
    accountId,
    kind,
    value,
    ...(verifiedAt && { verifiedAt: timestampFromDate(verifiedAt), verifiedBy }),
    ...(linkExpiresAt && { linkExpiresAt: timestampFromDate(linkExpiresAt) }),
  };
}

export function toTemplate({
  variables,
  ...definition
}: documents.TemplateDocument["definition"]): MessageInitShape<typeof TemplateSchema> {
  return {
    ...definition,
    variables: variables.map(({ name, type, fallback }) => ({
      name,
      type,
      ...(fallback !== undefined && { fallbackJson: JSON.stringify(fallback) }),
    })),
  };
}

export function toTemplateVersion({
  version,
  createdAt,
  createdBy,
  restores = 0,
  published,
}: Omit<documents.TemplateDocument, "definition">) {
  return {
    version,
    publishedAt: timestampFromDate(createdAt),
    publishedBy: createdBy?.name ?? "",
    restoredVersion: restores,
    published,
  };
}

export function toStoredTemplate(
  template: documents.TemplateDocument,
): MessageInitShape<typeof StoredTemplateSchema> {
  return { template: toTemplate(template.definition), ...toTemplateVersion(template) };
}

export function toMessage(
  message: MessageDocument,
  lastReply?: LastReply,
): MessageInitShape<typeof MessageSchema> {
  return {
    id: message._id,
    traceId: message.traceId,
    accountId: message.accountId,
    state: message.state,
    from: message.from,
    recipient: message.recipient,
    subject: message.subject,
    routingPolicy: message.policy,
    attempts: message.attempts,
    createdAt: timestampFromDate(message.createdAt),
    updatedAt: timestampFromDate(message.updatedAt),
    ...(message.nextAttemptAt && { nextAttemptAt: timestampFromDate(message.nextAttemptAt) }),
    headerMessageId: message.headerMessageId,
    tags: [...message.tags],
    metadata: { ...message.metadata },
    template: message.template?.name ?? "",
    templateVersion: message.template?.version ?? 0,
    keyId: message.keyId,
    source: message.source ?? "",
    category: message.category ?? "",
    sizeBytes: message.sizeBytes,
    ...(message.sendAt && { sendAt: timestampFromDate(message.sendAt) }),
    resentFrom: message.resentFrom ?? "",
    incidentId: message.incidentId ?? "",
    ...withoutUndefined({
      opens: toEngagement(message.engagement?.opened),
      clicks: toEngagement(message.engagement?.clicked),
      lastReply: lastReply && toLastReply(lastReply),
    }),
  };
}

interface LastReplies {
  lastReplies(messages: readonly MessageDocument[]): Promise<ReadonlyMap<string, LastReply>>;
}

/** Messages with their last replies, as in lists. */
export async function toListed(
  { events }: { readonly events: LastReplies },
  messages: readonly MessageDocument[],
): Promise<MessageInitShape<typeof MessageSchema>[]> {
  const replies = await events.lastReplies(messages);
  return messages.map((message) => toMessage(message, replies.get(message._id)));
}

function toLastReply({
  replyCode = 0,
  enhancedStatusCode = "",
  detail = "",
}: LastReply): MessageInitShape<typeof LastReplySchema> {
  return { code: replyCode, enhancedStatusCode, text: shownReply(detail) };
}

/** Text of a last reply in lists; the timeline has the complete text. */
export function shownReply(detail: string): string {
  if (detail.length <= MAX_SHOWN_REPLY) return detail;
  return `${detail.slice(0, MAX_SHOWN_REPLY - 1).toWellFormed()}…`;
}

function toEngagement(
  counted: EngagementCount | undefined,
): MessageInitShape<typeof EngagementSchema> | undefined {
  if (!counted) return undefined;
  const { count, machineCount = 0, first } = counted;
  return { count, machineCount, ...(first && { firstAt: timestampFromDate(first.at) }) };
}

/** @param recipient recipient of the message: a rule of the policy matches its domain */
export function toMessageEvent(
  event: EventDocument,
  recipient: string,
): MessageInitShape<typeof MessageEventSchema> {
  return {
    id: event._id,
    kind: event.kind,
    at: timestampFromDate(event.at),
    attempt: event.attempt,
    via: event.via ?? "",
    replyCode: event.replyCode ?? 0,
    enhancedStatusCode: event.enhancedStatusCode ?? "",
    category: event.category ?? "",
    detail: event.detail ?? "",
    detailParts: toTextParts(detailPartsOf(event)),
    ...(event.nextAttemptAt && { nextAttemptAt: timestampFromDate(event.nextAttemptAt) }),
    nextAttemptReason: event.nextAttemptReason ?? "",
    durationMs: event.durationMs ?? 0,
    tls: event.tls ?? "",
    conversation: event.conversation ?? "",
    sourceAddress: event.sourceAddress ?? "",
    ...(event.decidedBy && { decidedBy: toPolicyChoice(event.decidedBy, domainOf(recipient)) }),
    suppressionId: event.suppression ? shownId(event.suppression) : "",
    url: event.hit?.url ?? "",
    machineReason: event.hit?.machineReason ?? "",
    proxy: event.hit?.proxy ?? "",
    first: event.hit?.first ?? false,
    userAgent: event.hit?.userAgent ?? "",
    clientAddress: event.hit?.clientAddress ?? "",
  };
}

const CAPTURED = phrase("sandbox.captured");

/** Captured messages are many and have one text, so their parts are not stored. */
function detailPartsOf({ kind, detail, detailParts }: EventDocument) {
  return detailParts ?? (kind === "captured" && detail === CAPTURED.text ? CAPTURED.parts : []);
}

function toPolicyChoice(
  { policy, revision, rules, rule }: PolicyChoice,
  domain: string,
): MessageInitShape<typeof PolicyChoiceSchema> {
  return {
    policy,
    policyRevision: revision,
    rule: rule ? rule.index + 1 : 0,
    pattern: rule?.pattern ?? "",
    ...reasonFields(ruleReason({ rule, rules }, domain)),
  };
}

export function toSuppression(
  entry: documents.SuppressionDocument,
): MessageInitShape<typeof SuppressionSchema> {
  return {
    id: shownId(entry),
    accountId: entry.accountId,
    address: entry.address,
    reason: entry.reason,
    policy: entry.policy ?? "",
    messageId: entry.messageId ?? "",
    detail: entry.detail ?? "",
    createdAt: timestampFromDate(entry.createdAt),
    ...(entry.expireAt && { expireAt: timestampFromDate(entry.expireAt) }),
  };
}

export function toSandboxMessage(captured: CapturedSummary): MessageInitShape<typeof SandboxMessageSchema> {
  const {
    _id: id,
    traceId,
    accountId,
    envelopeFrom,
    envelopeTo,
    subject,
    from,
    capturedAt,
    sizeBytes,
  } = captured;
  return {
    id,
    traceId,
    accountId,
    envelopeFrom,
    envelopeTo: [...envelopeTo],
    subject,
    from,
    capturedAt: timestampFromDate(capturedAt),
    sizeBytes,
  };
}

/** Its readable fields. */
export function toQuarantined(entry: QuarantineDocument): MessageInitShape<typeof QuarantinedMessageSchema> {
  const {
    _id: id,
    at,
    reason,
    accountId = "",
    traceId = "",
    from = "",
    recipient = "",
    subject = "",
  } = entry;
  return { id, reason, quarantinedAt: timestampFromDate(at), accountId, traceId, from, recipient, subject };
}
