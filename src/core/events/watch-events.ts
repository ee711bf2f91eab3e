import { setTimeout as sleep } from "node:timers/promises";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  WatchEventsRequest,
  WatchEventsResponseSchema,
} from "../../../gen/hermod/event/v1/event_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { formatCursor } from "./cursor.ts";
import type { Followers } from "./followers.ts";
import { MAX_PAGE_SIZE } from "./list-events.ts";
import type { ReadEvents } from "./read-events.ts";
import { readSearch } from "./read-filter.ts";

const POLL_MS = 500;
const BEAT_MS = 10_000;

interface WatchNeeds {
  readonly events: ReadEvents;
  readonly followers: Pick<Followers, "add">;
  readonly clock: Pick<Clock, "monotonicMs">;
}

/**
 * Reads a page after the client has received the previous one, so that nothing accumulates for a slow client.
 * @throws Fault request.validation_failed, event.cursor_gone, live.full; core.unavailable when the process ends
 */
export function createWatchEvents({ events, followers, clock }: WatchNeeds) {
  return async function* (
    request: WatchEventsRequest,
    { signal: call }: Pick<HandlerContext, "signal">,
  ): AsyncGenerator<MessageInitShape<typeof WatchEventsResponseSchema>, void> {
    const { choice, after } = readSearch(request);
    const { signal, leave } = followers.add(call);
    try {
      if (after) await events.checkKept(after);
      let cursor = after ?? (await events.end());
      // The first answer contains the cursor from which the client receives events.
      yield { cursor: formatCursor(cursor) };
      let reportedMs = clock.monotonicMs();
      for (;;) {
        signal.throwIfAborted();
        const page = await events.read(cursor, choice, MAX_PAGE_SIZE);
        cursor = page.cursor;
        if (page.events.length > 0 || clock.monotonicMs() - reportedMs >= BEAT_MS) {
          yield { events: page.events, cursor: formatCursor(cursor) };
          reportedMs = clock.monotonicMs();
        }
        if (!page.hasMore) await sleep(POLL_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    } finally {
      leave();
    }
  };
}
