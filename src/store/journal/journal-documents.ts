import type { Db } from "mongodb";
import { domainOf } from "../../message/address/addresses.ts";
import { mailProvider } from "../../message/address/mail-provider.ts";
import type { EventDocument, MessageDocument } from "../message-documents.ts";

/**
 * What has happened to messages, or is about to: the entries of one document. Messages and events carry in `journal` how they
 * are known. Most carry the stamp of a run's announcement, and are named in a document once they are counted. What is not to be
 * found by its time (`JournalWriterDocument`) carries the id of a document that was written before it.
 */
export interface JournalDocument {
  /** In the order of time; those of one writer in the order in which it wrote them. */
  readonly _id: string;
  /** The run of a process. */
  readonly writer: string;
  readonly at: Date;
  readonly entries: readonly JournalEntry[];
  /** What the message or event of an entry carries, if it is there because of this document. Missing: all are counted. */
  readonly stamp?: string;
  /** Void until the writer has counted so often; missing: it is valid. */
  readonly fold?: number;
  /** When it is to be looked which entries happened, for nobody knows. Missing: it is not. */
  readonly lookAt?: Date;
  /** How often that was looked at. Missing: never. */
  readonly looks?: number;
  /** Positions of the entries that were counted then. */
  readonly counted?: readonly number[];
  /** What else has changed, for open streams of events. Missing: nothing. */
  readonly resources?: readonly JournalResource[];
  /** Owner of the resources. Missing: there are none. */
  readonly accountId?: string;
}

/** A resource that was created, changed or removed. */
export interface JournalResource {
  readonly accountId: string;
  readonly kind: "job" | "domain";
  /** Id of the job, or name of the domain. */
  readonly id: string;
}

/** One thing that happens to one message. */
export interface JournalEntry {
  /** Missing: the message itself is stored, `accepted` or `scheduled`. */
  readonly eventId?: string;
  readonly messageId: string;
  /** Empty: that of a message that cannot be read. */
  readonly accountId: string;
  readonly kind: EventDocument["kind"];
  readonly at: Date;
  readonly attempt: number;
  readonly category?: string;
  /** The large provider of the recipient's address, or its domain. Missing, as what follows: the message cannot be read. */
  readonly provider?: string;
  /** The domain of the From address, in lower case. */
  readonly sender?: string;
  readonly policy?: string;
  readonly source?: string;
  /** Missing: it has none. */
  readonly tags?: readonly string[];
  /** Id of the API key or SMTP credential. Missing: the message has none. */
  readonly key?: string;
  /** Name of the template. */
  readonly template?: string;
  /** When the message was accepted, or due if that is later: latency begins here. */
  readonly dueAt?: Date;
  /** Of an open or a click: it is the first that a person made. */
  readonly first?: true;
}

/**
 * A run of a process that stores messages and events. It alone changes the document until it is ended. Whatever carries a stamp of
 * the run and is not counted has a time between `from` and `through`: a message that of its id, an event its own, to which
 * a key of `kept`, in milliseconds, is added in its `expireAt`. So it is found without an index of its own.
 */
export interface JournalWriterDocument {
  readonly _id: string;
  /** By the store's clock. */
  readonly expiresAt: Date;
  /** How often it has counted. */
  readonly folds: number;
  readonly from: Date;
  readonly through: Date;
  /** Missing: it has stored no event. */
  readonly kept?: Readonly<Record<string, true>>;
  /** Somebody else has found that it was gone, or it said so itself: it counts no more, and what it left is looked for. */
  readonly endedAt?: Date;
  /** How often that was done to the end. Missing: never. */
  readonly looks?: number;
  /** When it is done again. Missing: at once, or never again. */
  readonly lookAt?: Date;
  /** How often something was found and counted. Missing: never. */
  readonly finds?: number;
}

/** What is counted of a message, whatever happens to it. */
export type MessageFacts = Partial<
  Pick<JournalEntry, "provider" | "sender" | "policy" | "source" | "tags" | "key" | "template" | "dueAt">
>;

export function factsOf({
  recipientDomain,
  from,
  policy,
  source,
  tags,
  keyId,
  template,
  createdAt,
  sendAt,
}: Partial<Pick<MessageDocument, Fact>>): MessageFacts {
  const dueAt = sendAt ?? createdAt;
  return {
    ...(from !== undefined && { sender: domainOf(from).toLowerCase() }),
    ...(recipientDomain !== undefined && { provider: mailProvider(recipientDomain) }),
    ...(policy !== undefined && { policy }),
    ...(source !== undefined && { source }),
    ...(tags !== undefined && tags.length > 0 && { tags }),
    ...(keyId && { key: keyId }),
    ...(template !== undefined && { template: template.name }),
    ...(dueAt !== undefined && { dueAt }),
  };
}

type Fact =
  | "recipientDomain"
  | "from"
  | "policy"
  | "source"
  | "tags"
  | "keyId"
  | "template"
  | "createdAt"
  | "sendAt";
type StoredFacts = Pick<MessageDocument, "_id" | "accountId" | "createdAt"> &
  Partial<Pick<MessageDocument, "sendAt" | Fact>>;

/** That a message is stored: what was scheduled then may be delivered by now. */
export function entryOfMessage(message: StoredFacts): JournalEntry {
  return {
    messageId: message._id,
    accountId: message.accountId,
    kind: message.sendAt ? "scheduled" : "accepted",
    at: message.createdAt,
    attempt: 0,
    ...factsOf(message),
  };
}

/** An event to be stored, with what is counted of its message. */
export interface NewEvent extends EventDocument {
  /** Not stored with it. Missing: the message cannot be read. */
  readonly about?: MessageFacts;
}

export function entryOfEvent({
  _id,
  messageId,
  accountId,
  kind,
  at,
  attempt,
  ...event
}: NewEvent): JournalEntry {
  return {
    eventId: _id,
    messageId,
    accountId,
    kind,
    at,
    attempt,
    ...(event.category !== undefined && { category: event.category }),
    ...(event.hit?.first && { first: true as const }),
    ...event.about,
  };
}

/** What an entry is told apart by, in all of an installation. */
export function idOfEntry({ eventId, messageId }: JournalEntry): string {
  return eventId ?? messageId;
}

/** The id by which others are told of an entry: as `eventId` makes it, for the message itself, too. */
export function toldId({ eventId, messageId, kind }: JournalEntry): string {
  return eventId ?? `${messageId}.0.${kind}`;
}

/** A document, at most, as far as can be told beforehand. */
const MAX_DOCUMENT_BYTES = 192 * 1024;
const MAX_DOCUMENT_ENTRIES = 1_000;
/** What BSON adds to an entry: names of fields, lengths, times. */
const ENTRY_OVERHEAD_BYTES = 160;

/** Entries, by the documents that they fit into. */
export function splitEntries(entries: readonly JournalEntry[]): JournalEntry[][] {
  const groups: JournalEntry[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    const size = sizeOf(entry);
    const last = groups.at(-1);
    if (!last || bytes + size > MAX_DOCUMENT_BYTES || last.length >= MAX_DOCUMENT_ENTRIES) {
      groups.push([entry]);
      bytes = size;
    } else {
      last.push(entry);
      bytes += size;
    }
  }
  return groups;
}

function sizeOf(entry: JournalEntry) {
  const {
    eventId = "",
    messageId,
    accountId,
    provider = "",
    sender = "",
    policy = "",
    tags = [],
    key = "",
    template = "",
  } = entry;
  let bytes = ENTRY_OVERHEAD_BYTES + eventId.length + messageId.length + accountId.length;
  bytes += provider.length + Buffer.byteLength(sender) + Buffer.byteLength(policy);
  bytes += key.length + Buffer.byteLength(template);
  for (const tag of tags) bytes += Buffer.byteLength(tag) + 8;
  return bytes;
}

/** An entry that is counted, with what those are told who listen. */
export function told({
  eventId,
  messageId,
  accountId,
  kind,
  at,
  attempt,
  category,
}: JournalEntry): JournalEntry {
  return {
    ...(eventId !== undefined && { eventId }),
    messageId,
    accountId,
    kind,
    at,
    attempt,
    ...(category !== undefined && { category }),
  };
}

export function journalCollections(db: Db) {
  return {
    journal: db.collection<JournalDocument>("journal"),
    writers: db.collection<JournalWriterDocument>("journalWriters"),
  };
}
