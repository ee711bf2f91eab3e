import { domainToUnicode } from "node:url";
import { domainsOfProvider } from "../../message/address/mail-provider.ts";
import type { AddressFilter, MessageFilter, QueryCondition } from "../../message/search/filter.ts";
import { addressParts, subjectWords } from "../../message/search/words.ts";
import type { MessageState } from "../../shared/message-state.ts";
import type { MessageDocument } from "../message-documents.ts";

/**
 * Search terms of messages. A term is one number: a hash of its account, kind and value. Hash collisions are filtered
 * out by the message itself.
 */

/** Kinds of terms. */
export type TermKind =
  | "recipient"
  | "recipient_domain"
  | "recipient_word"
  | "sender"
  | "sender_domain"
  | "sender_word"
  | "subject"
  | "tag"
  | "metadata"
  | "policy"
  | "key"
  | "source"
  | "template"
  | "state"
  | "category"
  | "header_id"
  | "engaged";

/** States that most messages have at some time. They are not indexed, because they would match almost all messages. */
const COMMON_STATES: ReadonlySet<MessageState> = new Set([
  "accepted",
  "queued",
  "sending",
  "delivered",
  "captured",
]);

/** Whether this state is indexed. Otherwise messages are read and filtered. */
export function isIndexedState(state: MessageState): boolean {
  return !COMMON_STATES.has(state);
}

/** The fields of a message that determine its terms. */
export type Searchable = Pick<
  MessageDocument,
  | "_id"
  | "accountId"
  | "keyId"
  | "from"
  | "recipient"
  | "subject"
  | "policy"
  | "tags"
  | "metadata"
  | "state"
  | "headerMessageId"
> &
  Partial<Pick<MessageDocument, "source" | "template" | "category" | "engagement">>;

/** All terms of a message, without duplicates. */
export function termsOf(message: Searchable): number[] {
  const { accountId, metadata = {}, template, source, state, category } = message;
  const terms = new Set<number>();
  const hash = hasherOf(accountId);
  const add = (kind: TermKind, values: Iterable<string>) => {
    for (const value of values) terms.add(hash(kind, value));
  };
  const recipient = addressParts(message.recipient);
  add("recipient", [recipient.whole]);
  add("recipient_domain", [recipient.domain]);
  add("recipient_word", recipient.words);
  const sender = addressParts(message.from);
  add("sender", [sender.whole]);
  add("sender_domain", [sender.domain]);
  add("sender_word", sender.words);
  add("subject", subjectWords(message.subject));
  add("tag", message.tags ?? []);
  for (const name in metadata) add("metadata", [metadataTerm(name, metadata[name] ?? "")]);
  add("policy", [message.policy]);
  add("key", [message.keyId]);
  if (source) add("source", [source]);
  if (template) add("template", [template.name]);
  if (isIndexedState(state)) add("state", [state]);
  if (category) add("category", [category]);
  // Actions of programs are included. The message itself distinguishes them from those of a person.
  add("engaged", Object.keys(message.engagement ?? {}));
  if (message.headerMessageId && ownerOfHeaderId(message.headerMessageId) !== message._id) {
    add("header_id", [message.headerMessageId]);
  }
  return [...terms];
}

/** Terms of a search: a message must have at least one term of each group. */
export type TermGroups = readonly (readonly number[])[];

/** The terms of a filter; empty: it has no indexed terms. Other conditions are checked on the messages. */
export function termsOfFilter(accountId: string, filter: MessageFilter): TermGroups {
  const groups: number[][] = [];
  const all = (kind: TermKind, values: readonly (string | undefined)[] = []) => {
    for (const value of values) if (value !== undefined) groups.push([termOf(accountId, kind, value)]);
  };
  const terms = termsWith(accountId);
  const each = (kind: TermKind, values: readonly string[]) => values.map((value) => terms(kind, [value]));
  const address = (role: "recipient" | "sender", wanted: AddressFilter | undefined) => {
    if (wanted) groups.push(...groupsOfAddress(role, wanted, each));
  };
  address("recipient", filter.recipient);
  address("sender", filter.sender);
  all("subject", filter.subject);
  all("tag", filter.tags);
  all(
    "metadata",
    Object.entries(filter.metadata ?? {}).map(([name, value]) => metadataTerm(name, value)),
  );
  all("policy", [filter.policy]);
  all("key", [filter.keyId]);
  all("source", [filter.source]);
  all("template", [filter.template]);
  all("category", [filter.category]);
  if (filter.provider !== undefined) {
    // Some clients keep an internationalized domain in the recipient's address.
    const domains = domainsOfProvider(filter.provider).flatMap((name) => [
      name,
      domainToUnicode(name) || name,
    ]);
    groups.push(terms("recipient_domain", [...new Set(domains)]));
  }
  for (const kind of ["opened", "clicked"] as const) if (filter[kind]) all("engaged", [kind]);
  const { states } = filter;
  if (states?.every(isIndexedState)) groups.push(states.map((state) => termOf(accountId, "state", state)));
  for (const condition of filter.query ?? []) groups.push(...groupsOf(condition, terms));
  return groups;
}

const termsWith = (accountId: string) => (kind: TermKind, values: readonly string[]) =>
  values.map((value) => termOf(accountId, kind, value));

/** The terms of a query condition; empty: the message itself decides. */
function groupsOf(
  condition: QueryCondition,
  terms: (kind: TermKind, values: readonly string[]) => number[],
): number[][] {
  const each = (kind: TermKind, values: readonly string[]) => values.map((value) => terms(kind, [value]));
  switch (condition.kind) {
    case "text":
      return groupsOfText(condition, terms);
    case "recipient":
    case "sender":
      return groupsOfAddress(condition.kind, condition.address, each);
    case "subject":
      return each("subject", condition.words);
    case "tag":
      return each("tag", [condition.tag]);
    case "metadata":
      return each("metadata", [metadataTerm(condition.name, condition.value)]);
    case "state":
      return condition.values.every(isIndexedState) ? [terms("state", condition.values)] : [];
    case "policy":
    case "key":
    case "template":
      return [terms(condition.kind, condition.values)];
    case "header_id":
      return each("header_id", [condition.value]);
    case "message":
    case "submission":
      return [];
  }
}

function groupsOfAddress(
  role: "recipient" | "sender",
  wanted: AddressFilter,
  each: (kind: TermKind, values: readonly string[]) => number[][],
): number[][] {
  if (wanted.kind === "whole") return each(role, [wanted.address]);
  if (wanted.kind === "domain") return each(`${role}_domain`, [wanted.domain]);
  return each(`${role}_word`, wanted.words);
}

/**
 * One group for each word, in recipient, sender or subject. An address or domain matches the recipient, the sender,
 * or all of its words in the subject, which equals one group per word with the address in each group.
 */
function groupsOfText(
  { words, address }: Extract<QueryCondition, { kind: "text" }>,
  terms: (kind: TermKind, values: readonly string[]) => number[],
): number[][] {
  const inSubject = words.map((word) => terms("subject", [word]));
  if (!address) {
    return words.map((word, index) => [
      ...terms("recipient_word", [word]),
      ...terms("sender_word", [word]),
      ...(inSubject[index] ?? []),
    ]);
  }
  const whole = ["recipient", "sender"].flatMap((role) =>
    groupsOfAddress(role as "recipient" | "sender", address, (kind, values) => [terms(kind, values)]).flat(),
  );
  return inSubject.length > 0 ? inSubject.map((subject) => [...whole, ...subject]) : [whole];
}

const OWN_HEADER_ID = /^<(msg_[0-9a-hjkmnp-tv-z]{26})@/;

/** The message for which Hermod created a Message-ID field; undefined: it is not from Hermod. */
export function ownerOfHeaderId(headerId: string): string | undefined {
  return OWN_HEADER_ID.exec(headerId)?.[1];
}

/** One metadata entry as a term: names contain no `=`. */
function metadataTerm(name: string, value: string): string {
  return `${name}=${value}`;
}

/** A 48-bit integer. A collision costs a search one additional message read. */
export function termOf(accountId: string, kind: TermKind, value: string): number {
  return hasherOf(accountId)(kind, value);
}

/** Hashes of one account, each of which begins with the hash of its id. */
function hasherOf(accountId: string): (kind: TermKind, value: string) => number {
  const account = mix(START, accountId);
  return (kind, value) => {
    const { high: a, low: b } = mix(mix(account, kind), value);
    const high = Math.imul(a ^ (b >>> 16), 0x27d4eb2f);
    const low = Math.imul(b ^ (high >>> 15), 0x165667b1);
    return ((high ^ (high >>> 14)) & 0xffff) * 2 ** 32 + ((low ^ (low >>> 16)) >>> 0);
  };
}

interface Mixed {
  readonly high: number;
  readonly low: number;
}

const START: Mixed = { high: 0x9e3779b9, low: 0x7f4a7c15 };
/** A code that no character has. */
const END = 0x10000;

function mix({ high: startHigh, low: startLow }: Mixed, text: string): Mixed {
  let high = startHigh;
  let low = startLow;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : END;
    high = Math.imul(high ^ code, 0x85ebca6b);
    high ^= high >>> 15;
    low = Math.imul(low ^ code, 0xc2b2ae35);
    low ^= low >>> 13;
  }
  return { high, low };
}
