import type { Db } from "mongodb";
import { domainOf } from "../../message/address/addresses.ts";
import { mailProvider } from "../../message/address/mail-provider.ts";
import type { EventDocument, MessageDocument } from "../message-documents.ts";

/**
 * Message events that have happened or are about to, as entries of one document. The field `journal` of messages and
 * events links them to it. Most contain the stamp of a run's announcement, and are named in a document when they are
 * counted. Those that cannot be found by time (`JournalWriterDocument`) contain the id of a document that was written
 * before them.
 */
export interface JournalDocument {
  /** Ordered by time. Documents of one writer are in the order of its writes. */
  readonly _id: string;
  /** The run of a process. */
  readonly writer: string;
  readonly at: Date;
  readonly entries: readonly JournalEntry[];
  /**
   * Stamp in the message or event of an entry, if it exists because of this document. Missing: all entries are
   * counted.
   */
  readonly stamp?: string;
  /** Invalid until the writer has counted this often. Missing: valid. */
  readonly fold?: number;
  /** Time at which to check which entries happened, because their outcome is unknown. Missing: no check is needed. */
  readonly lookAt?: Date;
  /** Number of such checks. Missing: none. */
  readonly looks?: number;
  /** Positions of the entries that these checks counted. */
  readonly counted?: readonly number[];
  /** Other changed resources, for open event streams. Missing: none. */
  readonly resources?: readonly JournalResource[];
  /** Owner of the resources. Missing: there are none, or those of several accounts. */
  readonly accountId?: string;
}

/**
 * A job or domain that was created, changed or removed, a webhook endpoint with changed deliveries, a created or changed
 * incident, a watched domain with a check that began, advanced or ended, or a heartbeat.
 */
export interface JournalResource {
  readonly accountId: string;
  readonly kind: "job" | "domain" | "webhook" | "incident" | "watched_domain" | "heartbeat";
  /** Id of the resource. For a domain, its name. */
  readonly id: string;
}

/** One event of one message. */
export interface JournalEntry {
  /** Missing: the message itself is stored, `accepted` or `scheduled`. */
  readonly eventId?: string;
  readonly messageId: string;
  /** Empty: the account of an unreadable message. */
  readonly accountId: string;
  readonly kind: EventDocument["kind"];
  readonly at: Date;
  readonly attempt: number;
  readonly category?: string;
  /**
   * The large provider of the recipient's address, or its domain. Missing, like the following fields: the message is
   * unreadable.
   */
  readonly provider?: string;
  /** The domain of the From address, in lower case. */
  readonly sender?: string;
  readonly policy?: string;
  readonly source?: string;
  /** Missing: none. */
  readonly tags?: readonly string[];
  /** Id of the API key or SMTP credential. Missing: none. */
  readonly key?: string;
  /** Name of the template. */
  readonly template?: string;
  /** Time at which the message was accepted, or due if later: start of the latency. */
  readonly dueAt?: Date;
  /** For an open or a click: the first one by a person. */
  readonly first?: true;
}

/**
 * A run of a process that stores messages and events. Only this run changes the document until it is ended. An
 * uncounted document with a stamp of the run has a time between `from` and `through`: a message that of its id, an
 * event its own, to which its `expireAt` adds a key of `kept`, in milliseconds. So it is found without a separate
 * index.
 */
export interface JournalWriterDocument {
  readonly _id: string;
  /** By the store's clock. */
  readonly expiresAt: Date;
  /** Number of its counting transactions. */
  readonly folds: number;
  readonly from: Date;
  readonly through: Date;
  /** Retention times of its events. Missing: it has stored no event. */
  readonly kept?: Readonly<Record<string, true>>;
  /** Another process found it ended, or it ended itself. It counts no more, and its remaining events are searched. */
  readonly endedAt?: Date;
  /** Number of complete searches. Missing: none. */
  readonly looks?: number;
  /** Time of the next search. Missing: immediately, or never again. */
  readonly lookAt?: Date;
  /** Number of searches that found and counted something. Missing: none. */
  readonly finds?: number;
}

/** Facts of a message that are counted with each of its events. */
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

/** Entry for a stored message. A message scheduled at that time may be delivered already. */
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

/** An event to store, with the counted facts of its message. */
export interface NewEvent extends EventDocument {
  /** Not stored with the event. Missing: the message is unreadable. */
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

/** Identifies an entry within the installation. */
export function idOfEntry({ eventId, messageId }: JournalEntry): string {
  return eventId ?? messageId;
}

/** Public id of an entry: that of `eventId`, also for the message itself. */
export function eventIdOf({
  eventId,
  messageId,
  kind,
}: Pick<JournalEntry, "eventId" | "messageId" | "kind">): string {
  return eventId ?? `${messageId}.0.${kind}`;
}

/** Maximum size of a document, as an estimate. */
const MAX_DOCUMENT_BYTES = 192 * 1024;
const MAX_DOCUMENT_ENTRIES = 1_000;
/** Overhead of an entry in BSON: field names, lengths, times. */
const ENTRY_OVERHEAD_BYTES = 160;

/** Splits entries into documents. */
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

export function journalCollections(db: Db) {
  return {
    journal: db.collection<JournalDocument>("journal"),
    writers: db.collection<JournalWriterDocument>("journalWriters"),
  };
}
