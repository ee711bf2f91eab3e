import {
  type MessageChange,
  MessageChangeSchema,
  type WatchEventsResponse,
} from "../../gen/hermod/live/v1/live_service_pb.ts";
import { coreCommand } from "./core-command.ts";
import { messageJson } from "./output/json.ts";
import { type Paint, paintState } from "./output/paint.ts";
import { plainTime, printable } from "./output/text.ts";

/** `hermod message tail`: runs until it is interrupted. */
export const messageTail = coreCommand(
  {
    name: "tail",
    description: "Show changes of messages as they happen. With --json: a line of JSON for each change.",
  },
  async ({ core, account, paint, isJson, environment: { out, err } }) => {
    const lineOf = (change: MessageChange) =>
      isJson ? JSON.stringify(messageJson(MessageChangeSchema, change)) : plainLine(paint, change);
    let after = "";
    for (;;) {
      // A stream ends after a while; the next one continues it.
      for await (const report of core.live.watchEvents({ accountId: account, after })) {
        after = report.position;
        if (report.changes.length > 0) out.write(report.changes.map((one) => `${lineOf(one)}\n`).join(""));
        const note = noteOf(report);
        if (note !== undefined) err.write(`${note}\n`);
      }
    }
  },
);

/** A note for people; undefined: none. */
function noteOf({ gap, skipped }: WatchEventsResponse): string | undefined {
  if (gap) return "Some earlier changes are missing.";
  return skipped > 0 ? `${skipped} more changes are not shown.` : undefined;
}

function plainLine(paint: Paint, change: MessageChange): string {
  const { at, messageId, kind, attempt, category } = change;
  const details = [attempt > 0 ? `attempt ${attempt}` : "", category].filter(Boolean).join(", ");
  return [plainTime(at), printable(messageId), paintState(paint, kind), printable(details)]
    .join("  ")
    .trimEnd();
}
