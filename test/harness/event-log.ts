import type { Db } from "mongodb";
import type { EventLogDocument } from "../../src/store/event-log.ts";
import { happenings } from "./expected-deliveries.ts";

/** Computes the expected entries of the event log, counted by event, from the stored messages and events only. */
export async function toBeLogged(db: Db): Promise<Record<string, number>> {
  return Object.fromEntries(
    (await happenings(db)).map(({ id, message }) => [`${message.accountId} ${id}`, 1]),
  );
}

/** Counts the entries of the event log about messages, and the missing positions. */
export async function logged(db: Db): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const documents = await db.collection<EventLogDocument>("eventLog").find().sort({ _id: 1 }).toArray();
  documents.forEach((document, index) => {
    if (Number(document._id) !== index + 1) counts[`place ${index + 1}`] = Number(document._id);
    for (const { accountId, events } of "groups" in document ? document.groups : []) {
      for (const { id } of events) counts[`${accountId} ${id}`] = (counts[`${accountId} ${id}`] ?? 0) + 1;
    }
  });
  return counts;
}
