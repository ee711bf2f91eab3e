import { messageStates, waitingStates } from "../shared/message-state.ts";
import type { MessageDocument } from "./message-documents.ts";
import { priorities } from "./policy-document.ts";

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === "string";
const filled: Check = (value) => typeof value === "string" && value !== "";
/** Exact in sums, too: what is counted on from there must come out again. */
const count: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 52;
/** Up to the year 9999: a wait that is added still makes a date. */
const date: Check = (value) =>
  value instanceof Date && value.getTime() >= 0 && value.getTime() < 253_402_300_800_000;
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const fields: Check = (value) =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
const textByName: Check = (value) => fields(value) && Object.values(value as object).every(text);
const oneOf =
  (values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

/** More than any schedule makes in any age. */
const MAX_ATTEMPTS = 1_000_000;
const MAX_BUCKET = 65_535;
const attempts: Check = (value) => count(value) && Number(value) < MAX_ATTEMPTS;
const bucket = optional((value) => count(value) && Number(value) <= MAX_BUCKET);
const epoch = optional(count);
/** A number that these refuse is out of range. */
const numeric: ReadonlySet<Check> = new Set([count, attempts, bucket, epoch]);

/** Fields that sending a message and recording its result rely on; fields that are only shown are not checked. */
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

/** The first field of a message that is not what it has to be, as `recipient: it is a number`; undefined: none. */
export function messageFault(message: MessageDocument): string | undefined {
  for (const [field, check] of checks) {
    if (!check(message[field])) return `${field}: it is ${kindOf(message[field], check)}`;
  }
  return undefined;
}

/** As `messageFault`, for a message whose attempt is due: only one that waits may be sent. */
export const dueFault = faultOfWaiting("nextAttemptAt");

/** As `messageFault`, for a message that is to be cancelled: only one that waits can be. */
export const cancelFault = faultOfWaiting("cancelRequestedAt");

function faultOfWaiting(field: keyof MessageDocument) {
  return (message: MessageDocument): string | undefined => {
    const reason = messageFault(message);
    if (reason !== undefined) return reason;
    if ((waitingStates as readonly unknown[]).includes(message.state)) return undefined;
    return `${field}: it is set, and the message is ${message.state}`;
  };
}

function kindOf(value: unknown, check: Check): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "no date that there is" : "a date";
  if (typeof value === "string") return value === "" ? "empty" : "not one of its values";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "number" && numeric.has(check)) return `${value}, which is out of range`;
  return `of the type ${typeof value}`;
}
