import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { z } from "zod";
import type { liveChanges, liveResources } from "../../../contracts/dashboard/live.ts";
import type { WatchEventsResponse } from "../../../gen/hermod/live/v1/live_service_pb.ts";

type Changes = z.output<typeof liveChanges>;

/**
 * What a report of the core is in a stream of server-sent events (HTML, section 9.2). All that happened is one event, with
 * one id: an event that arrives in part has not arrived, so nothing is heard twice, and nothing is missed.
 * @returns empty: it has nothing to tell
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

const eventOf = (name: string, id: string | undefined, data: object) =>
  `event: ${name}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
