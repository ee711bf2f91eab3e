import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { EventSchema } from "../../../gen/hermod/event/v1/event_service_pb.ts";
import type { ComposePayloads } from "../../events/compose-payloads.ts";
import { PAYLOAD_VERSION } from "../../events/webhook-payload.ts";
import { fault } from "../../shared/fault.ts";
import type { LoggedEvent, LoggedEvents } from "../../store/event-log-store.ts";
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
  async function checkKept({ position }: Cursor): Promise<void> {
    const { first, last } = await eventLog.bounds();
    if (position + 1 < first || position > last) throw fault("event.cursor_gone");
  }

  async function compose(
    reported: readonly LoggedEvent[],
    choice: EventChoice,
  ): Promise<EventPage["events"]> {
    const payloads = await composePayloads(reported, PAYLOAD_VERSION);
    return reported.flatMap(({ eventId: id, type, at, accountId, messageId = "" }, index) => {
      const payload = payloads[index];
      // The message was removed since, so the event has no content.
      if (!payload || !isWanted(choice, payload)) return [];
      const event = { id, type, at: timestampFromDate(at), accountId, messageId };
      return [{ ...event, payload: JSON.stringify(payload) }];
    });
  }

  async function end(): Promise<Cursor> {
    return { position: (await eventLog.bounds()).last, within: 0 };
  }

  return {
    checkKept,
    /** Makes all earlier changes visible in the log. @throws Fault store.unavailable */
    catchUp: eventLog.place,

    /** Position of the next event. */
    end,

    /** Position before the events that were written at or after this time. */
    async before(from: Date): Promise<Cursor> {
      const position = await eventLog.positionAt(from);
      return position === undefined ? end() : { position: position - 1, within: 0 };
    },

    /** Position before the oldest stored event. */
    async start(): Promise<Cursor> {
      return { position: (await eventLog.bounds()).first - 1, within: 0 };
    },

    /**
     * Matching events after a cursor, at most `limit`.
     * @param from only events at or after this time
     * @throws Fault event.cursor_gone, store.unavailable
     */
    async read(after: Cursor, choice: EventChoice, limit: number, from?: Date): Promise<EventPage> {
      const reported: LoggedEvent[] = [];
      let cursor = after;
      let read = 0;
      for (let reads = 1; ; reads++) {
        const found = await eventLog.list(cursor.position, DOCUMENTS_AT_ONCE);
        const ids = foundIds(found);
        const { documents } = found;
        const [first] = ids;
        if (first !== undefined && Number(first) > cursor.position + 1) await checkKept(cursor);
        for (const { event, behind } of eventsBehind(cursor, documents)) {
          read++;
          cursor = behind;
          const isOwn = choice.accountId === undefined || event.accountId === choice.accountId;
          if (isOwn && mayBeWanted(choice, event) && !(from && event.at < from)) reported.push(event);
          if (reported.length === limit || read >= MOST_EVENTS)
            return { events: await compose(reported, choice), cursor, hasMore: true };
        }
        // Unreadable documents are skipped.
        const last = Number(ids.at(-1) ?? 0);
        if (last > cursor.position) cursor = { position: last, within: 0 };
        const hasMore = ids.length === DOCUMENTS_AT_ONCE;
        if (!hasMore || reads === MOST_READS)
          return { events: await compose(reported, choice), cursor, hasMore };
      }
    },
  };
}

/** Events of documents, in their order, each with the cursor after it. */
function* eventsBehind({ position: reported, within }: Cursor, documents: readonly LoggedEvents[]) {
  for (const document of documents) {
    const position = Number(document._id);
    const { events } = document;
    for (const [index, event] of events.entries()) {
      if (position === reported + 1 && index < within) continue;
      const isLast = index + 1 === events.length;
      yield {
        event,
        behind: isLast ? { position, within: 0 } : { position: position - 1, within: index + 1 },
      };
    }
  }
}
