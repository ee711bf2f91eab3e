import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { z } from "zod";
import type { liveChanges } from "../../../contracts/dashboard/live.ts";
import type { WatchEventsResponse } from "../../../gen/hermod/live/v1/live_service_pb.ts";

type Changes = z.output<typeof liveChanges>;

/**
 * What a report of the core is in a stream of server-sent events (HTML, section 9.2). All that happened is one event, with
 * one id: an event that arrives in part has not arrived, so nothing is heard twice, and nothing is missed.
 * @returns empty: it has nothing to tell
 */
export function eventText(report: WatchEventsResponse): string {
  const gap = report.gap ? eventOf("gap", report.position, {}) : "";
  if (report.counts.length === 0) return gap;
  return gap + eventOf("changes", report.position, changesOf(report));
}

/** By hand: hundreds of streams are told each second, and what reflects on its fields takes ten times as long. */
function changesOf({ changes, counts, skipped }: WatchEventsResponse): Changes {
  return {
    changes: changes.map(({ id, messageId, kind, at, attempt, category }) => ({
      id,
      message_id: messageId,
      kind,
      attempt,
      category,
      at: (at ? timestampDate(at) : new Date(0)).toISOString(),
    })),
    counts: counts.map(({ kind, count }) => ({ kind, count })),
    skipped,
  };
}

/** Tells a browser how soon to come again, and where it is. */
export function beginText(retryMs: number, position: string): string {
  return `retry: ${retryMs}\nid: ${position}\n\n`;
}

/** Tells a browser that all is well: it hears no event, and goes on behind this position. */
export function beatText(position: string): string {
  return `: nothing new\nid: ${position}\n\n`;
}

export const AWAY_TEXT = ": the service is not available right now\n\n";

const eventOf = (name: string, id: string, data: object) =>
  `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
