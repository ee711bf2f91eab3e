import type { Command } from "commander";
import type { MessageChange, WatchEventsResponse } from "../../gen/hermod/live/v1/live_service_pb.ts";
import { coreCommand } from "./core-command.ts";
import { type Paint, paintState } from "./output/paint.ts";
import { isoTime, plainTime, printable } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod message tail`: what happens, until it is interrupted. */
export function messageTail(parent: Command, surroundings: Surroundings): void {
  const { out, err } = surroundings;
  const command = parent
    .command("tail")
    .description("Show what happens to messages as it happens; with --json, a line of JSON for each change.");
  coreCommand<object>(surroundings, command, async ({ core, account, paint, isJson }) => {
    const lineOf = isJson ? jsonLine : (change: MessageChange) => plainLine(paint, change);
    let after = "";
    for (;;) {
      // A stream ends after a while, and goes on in another one.
      for await (const report of core.live.watchEvents({ accountId: account, after })) {
        after = report.position;
        if (report.changes.length > 0) out.write(report.changes.map((one) => `${lineOf(one)}\n`).join(""));
        const note = noteOf(report);
        if (note !== undefined) err.write(`${note}\n`);
      }
    }
  });
}

/** What people should know besides; undefined: nothing. */
function noteOf({ gap, skipped }: WatchEventsResponse): string | undefined {
  if (gap) return "Something before this was not told.";
  return skipped > 0 ? `${skipped} more changes are not shown.` : undefined;
}

function plainLine(paint: Paint, change: MessageChange): string {
  const { at, messageId, kind, attempt, category } = change;
  const details = [attempt > 0 ? `attempt ${attempt}` : "", category].filter(Boolean).join(", ");
  return [plainTime(at), printable(messageId), paintState(paint, kind), printable(details)]
    .join("  ")
    .trimEnd();
}

function jsonLine({ id, messageId, kind, at, attempt, category }: MessageChange): string {
  return JSON.stringify({ id, message_id: messageId, kind, at: isoTime(at), attempt, category });
}
