import { domainToUnicode } from "node:url";
import { domainsOfProvider } from "../../message/address/mail-provider.ts";
import type { AddressFilter, MessageFilter, QueryCondition } from "../../message/search/filter.ts";
import { addressParts, subjectWords } from "../../message/search/words.ts";
import type { MessageState } from "../../shared/message-state.ts";
import type { MessageDocument } from "../message-documents.ts";

/**
 * What messages are found by. A term is one number: a hash of its account, of the kind of term and of the value. What has
 * the hash of something else is told apart by the message itself.
 */

/** What a term can be of. */
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

/** States in which most messages are, at some time: they are no terms, for they would find nearly everything. */
const COMMON_STATES: ReadonlySet<MessageState> = new Set([
  "accepted",
  "queued",
  "sending",
  "delivered",
  "captured",
]);

/** Whether messages are found by this state, or only looked at for it. */
export function isIndexedState(state: MessageState): boolean {
  return !COMMON_STATES.has(state);
}

/** The fields of a message that decide its terms. */
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

/** All terms of a message, each once. */
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
  // A program is counted as well: whether a person did so, the message itself tells.
  add("engaged", Object.keys(message.engagement ?? {}));
  if (message.headerMessageId && ownerOfHeaderId(message.headerMessageId) !== message._id) {
    add("header_id", [message.headerMessageId]);
  }
  return [...terms];
}

/** What a search looks up: of each group, messages have one term at least. */
export type TermGroups = readonly (readonly number[])[];

/** The terms of a filter; empty: it is by none that messages are found. What it does not decide, the messages do. */
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
    // Some clients leave a domain in the recipient's address as people write it.
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

/** The terms of a condition of a query; none: the message itself decides. */
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
 * A group for each word: it stands in recipient, sender or subject. An address or domain is the recipient's, the sender's, or all of
 * its words stand in the subject, which is the same as a group for each word with the address in each of them.
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

/** The message that a Message-ID field of Hermod's own was made for; undefined: somebody else has made it. */
export function ownerOfHeaderId(headerId: string): string | undefined {
  return OWN_HEADER_ID.exec(headerId)?.[1];
}

/** One entry of the metadata, as a term has it: names have no `=` in them. */
function metadataTerm(name: string, value: string): string {
  return `${name}=${value}`;
}

/** 48 bits, as an integer. Two values with the same one cost a search a look at a message more. */
export function termOf(accountId: string, kind: TermKind, value: string): number {
  return hasherOf(accountId)(kind, value);
}

/** The hashes of one account: all of them begin with that of its id. */
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
/** No text has this character code. */
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
