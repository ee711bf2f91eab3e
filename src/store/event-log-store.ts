import type { Db } from "mongodb";
import { webhookTypeOf } from "../shared/webhook-types.ts";
import type { CountLog } from "./counters/count-log.ts";
import { type EventLogDocument, eventLogCollections, logId, pagesOf, SEQUENCE } from "./event-log.ts";
import { eventIdOf, type JournalEntry } from "./journal/journal-documents.ts";
import type { PlaceEvents } from "./place-events.ts";
import { type Found, readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";
import type { OutboxEvent, WebhookDeliveryDocument } from "./webhook-delivery-documents.ts";

/** An event of the log: of a message, or of another subject. */
export type LoggedEvent = Pick<
  WebhookDeliveryDocument,
  "eventId" | "type" | "at" | "accountId" | "messageId"
> &
  Partial<Pick<OutboxEvent, "subject">>;

/** The events at one position. */
export interface LoggedEvents {
  readonly _id: string;
  readonly events: readonly LoggedEvent[];
}

/** The event log for its readers. */
export function createEventLogStore(db: Db, placing: PlaceEvents, counting: CountLog) {
  const { log, sequences, pages } = eventLogCollections(db);

  return {
    acrossAccounts: {
      ...placing,
      ...counting,

      /** Positions after another one, in order, with their events. Damaged documents are left out. */
      async list(after: number, limit: number): Promise<Found<LoggedEvents>> {
        const found = await readEach<EventLogDocument>((options) =>
          log
            .find({ _id: { $gt: logId(after) } }, options)
            .sort({ _id: 1 })
            .limit(limit),
        );
        const byId = await pagesOf(pages, found.documents);
        const documents = found.documents.map((one) => ({ _id: one._id, events: eventsOf(one, byId) }));
        return { documents, unreadable: found.unreadable };
      },

      /** Position of the first document written at or after a time; undefined: there is none. */
      async positionAt(from: Date): Promise<number | undefined> {
        const found = await guarded(
          log
            .find({ at: { $gte: from } }, { projection: { _id: 1 } })
            .sort({ at: 1, _id: 1 })
            .limit(1)
            .toArray(),
        );
        return found[0] && Number(found[0]._id);
      },

      /** The last assigned position, and the first stored one; `last + 1`: none is stored. */
      async bounds(): Promise<{ readonly first: number; readonly last: number }> {
        const oldest = log
          .find({}, { projection: { _id: 1 } })
          .sort({ _id: 1 })
          .limit(1)
          .toArray();
        const [first] = await guarded(oldest);
        // Queried second: documents that are added in between are after both.
        const { last = 0 } = (await guarded(sequences.findOne({ _id: SEQUENCE }))) ?? {};
        return { first: first ? Number(first._id) : last + 1, last };
      },
    },
  };
}

function eventsOf(
  document: EventLogDocument,
  pages: ReadonlyMap<string, readonly JournalEntry[]>,
): readonly LoggedEvent[] {
  if ("change" in document) return [{ ...document.change, accountId: document.accountId }];
  if ("groups" in document) {
    return document.groups.flatMap(({ accountId, events }) =>
      events.map(({ id, type, at }) => {
        const [messageId = ""] = id.split(".", 1);
        return { eventId: id, type, at, accountId, messageId };
      }),
    );
  }
  return (pages.get(document.page) ?? []).flatMap((entry) => {
    const { accountId, messageId, kind, at } = entry;
    const type = accountId === "" ? undefined : webhookTypeOf(kind);
    return type === undefined ? [] : [{ eventId: eventIdOf(entry), type, at, accountId, messageId }];
  });
}
