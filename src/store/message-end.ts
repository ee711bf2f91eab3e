import type { Db } from "mongodb";
import { timeOfId } from "../shared/ids.ts";
import { eventId } from "./event-id.ts";
import type { EventDocument, MessageDocument, MessageEnd } from "./message-documents.ts";
import { createMigratedAt } from "./migrations/is-migrated.ts";

/** The schema version since which all processes read parts of messages. */
const ENDS_VERSION = 11;
/** Kinds that can be part of their message. Only the results of attempts have them. */
const endKinds: ReadonlySet<EventDocument["kind"]> = new Set(["delivered", "captured"]);

/** Since when processes agree that new messages have their end as a part. */
const CLOCKS_MS = 60_000;

/**
 * @returns a function that returns since when accepted messages have their end as a part; undefined: none has. It rejects with
 * store.unavailable
 */
export function createEndsSince(db: Db): () => Promise<Date | undefined> {
  const migratedAt = createMigratedAt(db, ENDS_VERSION);
  return async () => {
    const at = await migratedAt();
    return at && new Date(at.getTime() + CLOCKS_MS);
  };
}

/** Whether an event is part of its message, for messages accepted since then. */
export function isEnd({ kind, messageId }: Pick<EventDocument, "kind" | "messageId">, since: Date): boolean {
  return endKinds.has(kind) && timeOfId(messageId) >= since;
}

/** The event as a part of its message, which has the other fields. */
export function endOf({
  _id,
  bucket,
  messageId,
  accountId,
  traceId,
  expireAt,
  ...end
}: EventDocument): MessageEnd {
  return end;
}

/** Fields from which `eventOfEnd` reads. */
export const END_FIELDS = { bucket: 1, accountId: 1, traceId: 1, expireAt: 1, end: 1 } as const;

export type EndedMessage = Pick<
  MessageDocument,
  "_id" | "accountId" | "traceId" | "bucket" | "expireAt" | "end"
>;

/** The event that is part of a message; undefined: none is. */
export function eventOfEnd({
  _id: messageId,
  end,
  expireAt,
  ...message
}: EndedMessage): EventDocument | undefined {
  if (end === undefined) return undefined;
  const { bucket, accountId, traceId } = message;
  return {
    ...end,
    _id: endIdOf(messageId, end),
    ...(bucket !== undefined && { bucket }),
    messageId,
    accountId,
    traceId,
    // A message that waits again is kept at least until its next end.
    expireAt: expireAt ?? end.at,
  };
}

/** Events of messages that exist on their own, and those that are part of these messages: oldest first. */
export function withEnds(
  alone: readonly EventDocument[],
  messages: readonly EndedMessage[],
): EventDocument[] {
  const ends = messages.flatMap((message) => eventOfEnd(message) ?? []);
  return ends.length === 0 ? [...alone] : [...alone, ...ends].sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** Id of the event that is part of a message. */
export function endIdOf(messageId: string, { attempt, kind }: Pick<MessageEnd, "attempt" | "kind">): string {
  return eventId(messageId, attempt, kind);
}
