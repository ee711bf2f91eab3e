import type { Db } from "mongodb";
import { mailProvider } from "../../message/address/mail-provider.ts";
import type { EventDocument, MessageDocument } from "../message-documents.ts";

/**
 * What is about to happen, written before it: one document for what is stored together. The message or the event carries
 * the id of the document that preceded its insertion (`journal`). What carries it has happened; what does not has not, or
 * is not there yet, or was there before.
 */
export interface JournalDocument {
  /** In the order of time; those of one writer in the order in which it wrote them. */
  readonly _id: string;
  /** The run of a process. */
  readonly writer: string;
  readonly at: Date;
  readonly entries: readonly JournalEntry[];
  /** When it is to be looked which entries happened, for their writer does not know or is gone. Missing: it is not. */
  readonly lookAt?: Date;
  /** How often that was looked at. Missing: never. */
  readonly looks?: number;
  /** Positions of the entries that were counted then. */
  readonly counted?: readonly number[];
}

/** One thing that is about to happen to one message. */
export interface JournalEntry {
  /** Missing: the message itself is about to be stored, `accepted` or `scheduled`. */
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
  readonly policy?: string;
  readonly source?: string;
  /** Missing: it has none. */
  readonly tags?: readonly string[];
}

/** A run of a process that writes to the journal. It alone changes the document until it is ended. */
export interface JournalWriterDocument {
  readonly _id: string;
  /** By the store's clock. */
  readonly expiresAt: Date;
  /** How often it has counted. */
  readonly folds: number;
  /** All its documents up to this id are counted or to be looked at… */
  readonly countedThrough: string;
  /** …but for these. */
  readonly open: readonly string[];
  /** Somebody else has found that it was gone: it counts no more, and what it left is looked at. */
  readonly endedAt?: Date;
}

/** What is counted of a message, whatever happens to it. */
export type MessageFacts = Partial<Pick<JournalEntry, "provider" | "policy" | "source" | "tags">>;

export function factsOf({
  recipientDomain,
  policy,
  source,
  tags,
}: Partial<Pick<MessageDocument, "recipientDomain" | "policy" | "source" | "tags">>): MessageFacts {
  return {
    ...(recipientDomain !== undefined && { provider: mailProvider(recipientDomain) }),
    ...(policy !== undefined && { policy }),
    ...(source !== undefined && { source }),
    ...(tags !== undefined && tags.length > 0 && { tags }),
  };
}

/** That a message is about to be stored. */
export function entryOfMessage(message: MessageDocument): JournalEntry {
  return {
    messageId: message._id,
    accountId: message.accountId,
    kind: message.state === "scheduled" ? "scheduled" : "accepted",
    at: message.createdAt,
    attempt: 0,
    ...factsOf(message),
  };
}

/** An event that is about to be stored, with what is counted of its message. */
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
    ...event.about,
  };
}

export function journalCollections(db: Db) {
  return {
    journal: db.collection<JournalDocument>("journal"),
    writers: db.collection<JournalWriterDocument>("journalWriters"),
  };
}
