import type { Db } from "mongodb";
import type { EventLogDocument } from "../../src/store/event-log.ts";
import { entriesOf, eventPagesOf } from "../../src/store/journal/event-pages.ts";
import { eventIdOf } from "../../src/store/journal/journal-documents.ts";
import { createStore } from "../../src/store/store.ts";
import { happenings } from "./expected-deliveries.ts";
import { testSealing } from "./sealing.ts";

/** Computes the expected entries of the event log, counted by event, from the stored messages and events only. */
export async function toBeLogged(db: Db): Promise<Record<string, number>> {
  return Object.fromEntries(
    (await happenings(db)).map(({ id, message }) => [`${message.accountId} ${id}`, 1]),
  );
}

/** Counts the entries of the event log about messages, and the missing positions, after everything has its place. */
export async function logged(db: Db): Promise<Record<string, number>> {
  await createStore(db, testSealing).acrossAccounts.eventLog.place();
  const counts: Record<string, number> = {};
  const documents = await db.collection<EventLogDocument>("eventLog").find().sort({ _id: 1 }).toArray();
  const pages = await eventPagesOf(db).find().toArray();
  const byId = new Map(pages.map((page) => [page._id, page]));
  documents.forEach((document, index) => {
    if (Number(document._id) !== index + 1) counts[`place ${index + 1}`] = Number(document._id);
    for (const key of keysOf(document)) counts[key] = (counts[key] ?? 0) + 1;
  });
  return counts;

  function keysOf(document: EventLogDocument): string[] {
    if ("groups" in document)
      return document.groups.flatMap(({ accountId, events }) => events.map(({ id }) => `${accountId} ${id}`));
    const page = "page" in document ? byId.get(document.page) : undefined;
    return (page ? (entriesOf(page) ?? []) : []).map(
      ({ accountId, ...entry }) => `${accountId} ${eventIdOf(entry)}`,
    );
  }
}
