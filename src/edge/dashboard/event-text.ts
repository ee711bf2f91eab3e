import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { z } from "zod";
import type { liveChanges, liveResources } from "../../../contracts/dashboard/live.ts";
import type { WatchEventsResponse } from "../../../gen/hermod/live/v1/live_service_pb.ts";

type Changes = z.output<typeof liveChanges>;

/**
 * Converts a report of the core to server-sent events (HTML, section 9.2). All changes are one event with one id: a
 * browser ignores a partial event, so no change is received twice or missed.
 * @returns empty: there are no changes
 */
export function eventText(report: WatchEventsResponse): string {
  const { position, counts, resources } = report;
  const gap = report.gap ? eventOf("gap", position, {}) : "";
  if (counts.length === 0) return gap + resourcesOf(resources, position);
  // Without an id: a reader that is cut off behind it goes on before it.
  return gap + resourcesOf(resources, undefined) + eventOf("changes", position, changesOf(report));
}

function resourcesOf(resources: WatchEventsResponse["resources"], position: string | undefined): string {
  if (resources.length === 0) return "";
  const data: z.output<typeof liveResources> = { resources: resources.map(({ kind, id }) => ({ kind, id })) };
  return eventOf("resources", position, data);
}

/** Written by hand: hundreds of streams are sent each second, and reflection takes ten times as long. */
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

/** Sets the reconnection delay of a browser, and its position. */
export function beginText(retryMs: number, position: string): string {
  return `retry: ${retryMs}\nid: ${position}\n\n`;
}

/** Keeps the connection alive and moves the browser's position without an event. */
export function beatText(position: string): string {
  return `: nothing new\nid: ${position}\n\n`;
}

export const AWAY_TEXT = ": the service is not available right now\n\n";

const eventOf = (name: string, id: string | undefined, data: object) =>
  `event: ${name}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
