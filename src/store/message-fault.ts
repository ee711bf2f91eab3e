import { messageStates, waitingStates } from "../shared/message-state.ts";
import {
  type Check,
  count,
  createShapeFault,
  date,
  fields,
  filled,
  ofNumber,
  oneOf,
  optional,
  text,
  textByName,
  texts,
} from "./field-checks.ts";
import type { MessageDocument } from "./message-documents.ts";
import { priorities } from "./policy-document.ts";

/** More than any schedule produces in any age. */
const MAX_ATTEMPTS = 1_000_000;
const MAX_BUCKET = 65_535;
const attempts = ofNumber((value) => count(value) && Number(value) < MAX_ATTEMPTS);
const bucket = ofNumber(optional((value) => count(value) && Number(value) <= MAX_BUCKET));
const epoch = ofNumber(optional(count));
/** Fields that are needed to send a message and to record its result. Display fields are not checked. */
const checks: readonly (readonly [field: keyof MessageDocument, check: Check])[] = [
  ["_id", filled],
  ["bucket", bucket],
  ["accountId", filled],
  ["keyId", optional(text)],
  ["traceId", text],
  ["operation", text],
  ["source", optional(text)],
  ["state", oneOf(messageStates)],
  ["from", text],
  ["envelopeFrom", optional(text)],
  ["recipient", filled],
  ["recipientDomain", filled],
  ["notify", optional(texts)],
  ["originalRecipient", optional(text)],
  ["envelopeId", optional(text)],
  ["returnContent", optional(text)],
  ["subject", text],
  ["policy", text],
  ["priority", oneOf(priorities)],
  ["tags", optional(texts)],
  ["metadata", optional(textByName)],
  ["template", optional((value) => fields(value) && text((value as { name?: unknown }).name))],
  ["tracking", optional(fields)],
  ["category", optional(text)],
  ["journal", optional(text)],
  ["contentId", filled],
  ["sizeBytes", count],
  ["headerMessageId", text],
  ["partition", count],
  ["attempts", attempts],
  ["epoch", epoch],
  ["nextAttemptAt", optional(date)],
  ["cancelRequestedAt", optional(date)],
  ["sendAt", optional(date)],
  ["createdAt", date],
  ["updatedAt", date],
];

/** The first invalid field of a message, such as `recipient: it is of the type number`; undefined: none. */
export const messageFault = createShapeFault<MessageDocument>(checks);

/** As `messageFault`, for a message with a due attempt: only a waiting message may be sent. */
export const dueFault = faultOfWaiting("nextAttemptAt");

/** As `messageFault`, for a message to cancel: only a waiting message can be cancelled. */
export const cancelFault = faultOfWaiting("cancelRequestedAt");

function faultOfWaiting(field: keyof MessageDocument) {
  return (message: MessageDocument): string | undefined => {
    const reason = messageFault(message);
    if (reason !== undefined) return reason;
    if ((waitingStates as readonly unknown[]).includes(message.state)) return undefined;
    return `${field}: it is set, but the message is ${message.state}`;
  };
}
