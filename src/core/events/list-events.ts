import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type {
  ListEventsRequest,
  ListEventsResponseSchema,
} from "../../../gen/hermod/event/v1/event_service_pb.ts";
import { say } from "../../shared/fault-text.ts";
import { formatCursor } from "./cursor.ts";
import type { ReadEvents } from "./read-events.ts";
import { readSearch } from "./read-filter.ts";

const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 100;
/** Events are written soon after they occur, and the clocks of processes differ by less than this. */
const CLOCKS_MS = 60_000;

/** @throws Fault request.validation_failed, event.cursor_gone */
export function createListEvents(events: ReadEvents) {
  return async (request: ListEventsRequest): Promise<MessageInitShape<typeof ListEventsResponseSchema>> => {
    const { pageSize } = request;
    const from = request.from && timestampDate(request.from);
    const { choice, after } = readSearch(request, (faults) => {
      if (pageSize < 0 || pageSize > MAX_PAGE_SIZE)
        faults.add("/page_size", "field.invalid", say("page_events_most", { max: MAX_PAGE_SIZE }));
      if (from && request.after !== "")
        faults.add("/from", "field.invalid", say("cursor_says_where_begin_leave_out"));
    });
    await events.catchUp();
    if (after) await events.checkKept(after);
    const since = from && new Date(from.getTime() - CLOCKS_MS);
    const begin = after ?? (await (since ? events.before(since) : events.start()));
    const page = await events.read(begin, choice, pageSize || DEFAULT_PAGE_SIZE, from);
    return { events: page.events, cursor: formatCursor(page.cursor), hasMore: page.hasMore };
  };
}
