import { messageStates } from "../shared/message-state.ts";
import type { MessageDocument } from "./message-documents.ts";

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === "string";
const filled: Check = (value) => typeof value === "string" && value !== "";
const count: Check = (value) => typeof value === "number" && value >= 0;
const date: Check = (value) => value instanceof Date && !Number.isNaN(value.getTime());
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

/** What delivering a message relies on; what is only shown to people is not looked at. */
const checks: readonly (readonly [field: keyof MessageDocument, check: Check])[] = [
  ["_id", filled],
  ["accountId", filled],
  ["traceId", text],
  ["operation", text],
  ["state", (value) => (messageStates as readonly unknown[]).includes(value)],
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
  ["contentId", filled],
  ["sizeBytes", count],
  ["headerMessageId", text],
  ["partition", count],
  ["attempts", count],
  ["epoch", optional(count)],
  ["nextAttemptAt", optional(date)],
  ["cancelRequestedAt", optional(date)],
  ["sendAt", optional(date)],
  ["createdAt", date],
  ["updatedAt", date],
];

/** The first field of a message that is not what it has to be, as `recipient: it is a number`; undefined: none. */
export function messageFault(message: MessageDocument): string | undefined {
  for (const [field, check] of checks) {
    if (!check(message[field])) return `${field}: it is ${kindOf(message[field])}`;
  }
  return undefined;
}

function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "no date that there is" : "a date";
  if (typeof value === "string") return value === "" ? "empty" : "not one of its values";
  if (Array.isArray(value)) return "an array";
  return `of the type ${typeof value}`;
}
