import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { EventSchema } from "../../../gen/hermod/event/v1/event_service_pb.ts";
import type { ComposePayloads, ReportedChange } from "../../events/compose-payloads.ts";
import { PAYLOAD_VERSION } from "../../events/webhook-payload.ts";
import { fault } from "../../shared/fault.ts";
import type { EventLogDocument } from "../../store/event-log.ts";
import { foundIds } from "../../store/read-each.ts";
import type { AcrossAccounts } from "../../store/store.ts";
import type { Cursor } from "./cursor.ts";
import { type EventChoice, isWanted, mayBeWanted } from "./read-filter.ts";

/** Each document has at most 300 KB. */
const DOCUMENTS_AT_ONCE = 8;
/** Maximum number of reads for one page. */
const MOST_READS = 25;
const MOST_EVENTS = 10_000;

export interface EventPage {
  readonly events: MessageInitShape<typeof EventSchema>[];
  /** Position after the last event that was read. */
  readonly cursor: Cursor;
  /** More events may already be stored after it. */
  readonly hasMore: boolean;
}

interface ReadNeeds {
  readonly eventLog: AcrossAccounts["eventLog"];
  readonly composePayloads: ComposePayloads;
}

export type ReadEvents = ReturnType<typeof createReadEvents>;

export function createReadEvents({ eventLog, composePayloads }: ReadNeeds) {
  /** @throws Fault event.cursor_gone */
  async function checkKept({ place }: Cursor): Promise<void> {
    const { first, last } = await eventLog.bounds();
    if (place + 1 < first || place > last) throw fault("event.cursor_gone");
  }

  async function compose(told: readonly ReportedChange[], choice: EventChoice): Promise<EventPage["events"]> {
    const payloads = await composePayloads(told, PAYLOAD_VERSION);
    return told.flatMap(({ eventId: id, type, at, accountId, messageId = "" }, index) => {
      const payload = payloads[index];
      // The message was removed since, so the event has no content.
      if (!payload || !isWanted(choice, payload)) return [];
      const event = { id, type, at: timestampFromDate(at), accountId, messageId };
      return [{ ...event, payload: JSON.stringify(payload) }];
    });
  }

  async function end(): Promise<Cursor> {
    return { place: (await eventLog.bounds()).last, within: 0 };
  }

  return {
    checkKept,
    /** Makes all earlier changes visible in the log. @throws Fault store.unavailable */
    catchUp: eventLog.placeChanges,

    /** Position of the next event. */
    end,

    /** Position before the events that were written at or after this time. */
    async before(from: Date): Promise<Cursor> {
      const place = await eventLog.placeAt(from);
      return place === undefined ? end() : { place: place - 1, within: 0 };
    },

    /** Position before the oldest stored event. */
    async start(): Promise<Cursor> {
      return { place: (await eventLog.bounds()).first - 1, within: 0 };
    },

    /**
     * Matching events after a cursor, at most `limit`.
     * @param from only events at or after this time
     * @throws Fault event.cursor_gone, store.unavailable
     */
    async read(after: Cursor, choice: EventChoice, limit: number, from?: Date): Promise<EventPage> {
      const told: ReportedChange[] = [];
      let cursor = after;
      let looked = 0;
      for (let reads = 1; ; reads++) {
        const found = await eventLog.list(cursor.place, DOCUMENTS_AT_ONCE);
        const ids = foundIds(found);
        const { documents } = found;
        const [first] = ids;
        if (first !== undefined && Number(first) > cursor.place + 1) await checkKept(cursor);
        for (const { event, behind } of eventsBehind(cursor, documents)) {
          looked++;
          cursor = behind;
          const isOwn = choice.accountId === undefined || event.accountId === choice.accountId;
          if (isOwn && mayBeWanted(choice, event) && !(from && event.at < from)) told.push(event);
          if (told.length === limit || looked >= MOST_EVENTS)
            return { events: await compose(told, choice), cursor, hasMore: true };
        }
        // Unreadable documents are skipped.
        const last = Number(ids.at(-1) ?? 0);
        if (last > cursor.place) cursor = { place: last, within: 0 };
        const hasMore = ids.length === DOCUMENTS_AT_ONCE;
        if (!hasMore || reads === MOST_READS) return { events: await compose(told, choice), cursor, hasMore };
      }
    },
  };
}

/** Events of documents, in their order, each with the cursor after it. */
function* eventsBehind({ place: told, within }: Cursor, documents: readonly EventLogDocument[]) {
  for (const document of documents) {
    const place = Number(document._id);
    const events = eventsOf(document);
    for (const [index, event] of events.entries()) {
      if (place === told + 1 && index < within) continue;
      const isLast = index + 1 === events.length;
      yield { event, behind: isLast ? { place, within: 0 } : { place: place - 1, within: index + 1 } };
    }
  }
}

/** All events of a document, in their order. */
function eventsOf(document: EventLogDocument): readonly ReportedChange[] {
  if ("change" in document) return [{ ...document.change, accountId: document.accountId }];
  return document.groups.flatMap(({ accountId, events }) =>
    events.map(({ id, type, at }) => {
      const [messageId = ""] = id.split(".", 1);
      return { eventId: id, type, at, accountId, messageId };
    }),
  );
}
