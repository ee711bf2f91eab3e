import type { MessageState } from "../../shared/message-state.ts";
import { mailProvider } from "../address/mail-provider.ts";
import { addressParts, subjectWords, wordsOf } from "./words.ts";

/** A filter of messages: all given conditions must match; missing ones are not checked. */
export interface MessageFilter {
  readonly recipient?: AddressFilter;
  readonly sender?: AddressFilter;
  /** Words of the subject, from `wordsOf`. */
  readonly subject?: readonly string[];
  readonly tags?: readonly string[];
  readonly metadata?: Readonly<Record<string, string>>;
  /** The message is in one of these states. */
  readonly states?: readonly MessageState[];
  readonly policy?: string;
  readonly keyId?: string;
  readonly source?: string;
  readonly template?: string;
  readonly category?: string;
  /** A name of `mailProvider`. */
  readonly provider?: string;
  /** Whether a person opened it, or followed a link. */
  readonly opened?: boolean;
  readonly clicked?: boolean;
  readonly traceId?: string;
  readonly messageId?: string;
  /** By the time in the id: the time of acceptance, or for a notice the time of the reported message. */
  readonly from?: Date;
  /** Before this time, in the same sense. */
  readonly until?: Date;
  /** Additional conditions of a query: see `query.ts`. */
  readonly query?: readonly QueryCondition[];
}

/** One condition of a query. */
export type QueryCondition =
  /** Recipient or sender are `address`, or recipient, sender or subject contain all of `words`, each in any of them. */
  | { readonly kind: "text"; readonly words: readonly string[]; readonly address?: AddressFilter }
  | { readonly kind: "recipient" | "sender"; readonly address: AddressFilter }
  | { readonly kind: "subject"; readonly words: readonly string[] }
  | { readonly kind: "tag"; readonly tag: string }
  | { readonly kind: "metadata"; readonly name: string; readonly value: string }
  /** The message has one of these. */
  | { readonly kind: "state"; readonly values: readonly MessageState[] }
  | { readonly kind: "policy" | "key" | "template"; readonly values: readonly string[] }
  | { readonly kind: "message"; readonly id: string }
  | { readonly kind: "submission"; readonly traceId: string }
  /** Its Message-ID field equals this. */
  | { readonly kind: "header_id"; readonly value: string };

/** Search for an address: the address itself, its domain, or words in it. */
export type AddressFilter =
  | { readonly kind: "whole"; readonly address: string }
  | { readonly kind: "domain"; readonly domain: string }
  | { readonly kind: "words"; readonly words: readonly string[] };

/** Fields of a message that a filter checks. */
export interface FilteredMessage {
  readonly _id: string;
  readonly headerMessageId: string;
  readonly recipient: string;
  readonly from: string;
  readonly subject: string;
  readonly tags?: readonly string[];
  readonly metadata?: Readonly<Record<string, string>>;
  readonly state: MessageState;
  readonly policy: string;
  readonly keyId: string;
  readonly source?: string;
  readonly template?: { readonly name: string };
  readonly category?: string;
  readonly traceId: string;
  /** As A-labels in lower case. */
  readonly recipientDomain: string;
  readonly engagement?: { readonly [Kind in "opened" | "clicked"]?: { readonly first?: unknown } };
}

/** `ada@example.com`, `@example.com` or words: `ada example`. */
export function readAddressFilter(text: string): AddressFilter {
  const at = text.lastIndexOf("@");
  const { whole, domain } = addressParts(text.trim());
  if (at === -1 || domain === "") return { kind: "words", words: wordsOf(text) };
  return whole.startsWith("@") ? { kind: "domain", domain } : { kind: "whole", address: whole };
}

/** True if a message matches, except for its id and time, which the store compares. */
export function meetsFilter(message: FilteredMessage, filter: MessageFilter): boolean {
  const { tags = [], metadata = {}, states, subject = [] } = filter;
  return (
    equals(filter.policy, message.policy) &&
    equals(filter.keyId, message.keyId) &&
    equals(filter.source, message.source) &&
    equals(filter.template, message.template?.name) &&
    equals(filter.category, message.category) &&
    equals(filter.traceId, message.traceId) &&
    (filter.provider === undefined || filter.provider === mailProvider(message.recipientDomain)) &&
    isEngaged(message, "opened", filter.opened) &&
    isEngaged(message, "clicked", filter.clicked) &&
    (states === undefined || states.includes(message.state)) &&
    tags.every((tag) => message.tags?.includes(tag)) &&
    Object.entries(metadata).every(([name, value]) => ownValue(message.metadata, name) === value) &&
    meetsAddress(message.recipient, filter.recipient) &&
    meetsAddress(message.from, filter.sender) &&
    hasAll(subject, () => subjectWords(message.subject)) &&
    (filter.query ?? []).every((condition) => meetsCondition(message, condition))
  );
}

function meetsCondition(message: FilteredMessage, condition: QueryCondition): boolean {
  switch (condition.kind) {
    case "text":
      return meetsText(message, condition);
    case "recipient":
      return meetsAddress(message.recipient, condition.address);
    case "sender":
      return meetsAddress(message.from, condition.address);
    case "subject":
      return hasAll(condition.words, () => subjectWords(message.subject));
    case "tag":
      return message.tags?.includes(condition.tag) ?? false;
    case "metadata":
      return ownValue(message.metadata, condition.name) === condition.value;
    case "state":
      return condition.values.includes(message.state);
    case "policy":
      return condition.values.includes(message.policy);
    case "key":
      return condition.values.includes(message.keyId);
    case "template":
      return message.template !== undefined && condition.values.includes(message.template.name);
    case "message":
      return message._id === condition.id;
    case "submission":
      return message.traceId === condition.traceId;
    case "header_id":
      return message.headerMessageId === condition.value;
  }
}

/** With an address its words apply only to the subject; without one each word may be in any of the three. */
function meetsText(
  message: FilteredMessage,
  { words, address }: { readonly words: readonly string[]; readonly address?: AddressFilter },
): boolean {
  if (address) {
    if (meetsAddress(message.recipient, address) || meetsAddress(message.from, address)) return true;
    return words.length > 0 && hasAll(words, () => subjectWords(message.subject));
  }
  return hasAll(words, () => [
    ...addressParts(message.recipient).words,
    ...addressParts(message.from).words,
    ...subjectWords(message.subject),
  ]);
}

function isEngaged(
  { engagement }: FilteredMessage,
  kind: "opened" | "clicked",
  wanted: boolean | undefined,
): boolean {
  return wanted === undefined || wanted === (engagement?.[kind]?.first !== undefined);
}

function equals(wanted: string | undefined, found: string | undefined): boolean {
  return wanted === undefined || wanted === found;
}

/** `constructor` must not count as metadata. */
function ownValue(values: Readonly<Record<string, string>> | undefined, name: string): string | undefined {
  return values && Object.hasOwn(values, name) ? values[name] : undefined;
}

function meetsAddress(address: string, wanted: AddressFilter | undefined): boolean {
  if (wanted === undefined) return true;
  const parts = addressParts(address);
  switch (wanted.kind) {
    case "whole":
      return parts.whole === wanted.address;
    case "domain":
      return parts.domain === wanted.domain;
    case "words":
      return hasAll(wanted.words, () => parts.words);
  }
}

function hasAll(wanted: readonly string[], found: () => readonly string[]): boolean {
  if (wanted.length === 0) return true;
  const words = new Set(found());
  return wanted.every((word) => words.has(word));
}
