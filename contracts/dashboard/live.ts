import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { reading } from "../common/session-access.ts";
import { moment } from "./common.ts";

const c = initContract();

const kind = z.string().meta({
  description:
    "`accepted`, `scheduled`, `delivered`, `captured`, `deferred`, `bounced`, `suppressed`, `expired`, `failed`, `cancelled`, `complained`, `resent`; later versions may know more.",
  examples: ["delivered"],
});

const messageChange = z.object({
  id: z.string().meta({
    description: "Names what happened: what is told twice has the same id.",
    examples: ["msg_01k9z4c3r8h2v6y0n5t7w1x3q9.1.delivered"],
  }),
  message_id: z.string().meta({ description: "The message.", examples: ["msg_01k9z4c3r8h2v6y0n5t7w1x3q9"] }),
  kind,
  at: moment("When it happened."),
  attempt: z.int().meta({ description: "Which attempt to deliver it; 0: none." }),
  category: z.string().meta({ description: "Of a failure; empty: none.", examples: ["mailbox_unknown"] }),
});

/** The data of an event `changes`. */
export const liveChanges = z
  .object({
    changes: z
      .array(messageChange)
      .meta({ description: "In the order in which they happened, as far as that is known; 20 at most." }),
    counts: z.array(z.object({ kind, count: z.int().meta({ description: "How many." }) })).meta({
      description: "All that happened since the event before, what is among `changes`, too, by kind.",
    }),
    skipped: z.int().meta({ description: "Counted, and not among `changes`: there were too many." }),
  })
  .meta({ description: "The `data` of an event `changes`, as JSON." });

/** The data of an event `resources`. */
export const liveResources = z.object({
  resources: z.array(
    z.object({
      kind: z.string().meta({
        description: "`job` or `domain`; later versions may know more.",
        examples: ["job"],
      }),
      id: z.string().meta({ description: "Id of the job, or name of the domain." }),
    }),
  ),
});

const { $schema: _, ...changesSchema } = z.toJSONSchema(liveChanges);

export const live = c.router({
  watchEvents: {
    method: "GET",
    path: "/api/events",
    summary: "Watch messages, jobs and domains",
    description: [
      "Server-sent events (`EventSource`), for pages of this installation alone. The stream is about the account of the session, and ends after 15 minutes, or once the session has ended or may no longer see messages: browsers then ask again, with `Last-Event-ID`.",
      "An event `changes` says what happened to messages of the account, at most twice a second, a second after it happened. An event `resources` names jobs (with `jobs.read`) and domains (with `domains.read`) that were created, changed or removed, 100 at most, each by `kind` (`job` or `domain`) and `id` (of a domain: its name). An event `gap` says that something before it was not told: read again what is shown. Each event has an id to go on behind, and so has a comment every 15 seconds.",
      "Under a load the rest is counted (`skipped`). Who does not read is disconnected.",
    ].join("\n\n"),
    query: z.strictObject({
      last_event_id: z.string().optional().meta({
        description: "As the header `Last-Event-ID`, which goes before it: behind which event to go on.",
      }),
    }),
    ...reading({
      access: "messages.read",
      faults: ["request.validation_failed", "request.cross_site", "live.too_many_streams", "live.full"],
      success: {
        200: c.otherResponse({
          contentType: "text/event-stream",
          // Sent as it happens: no schema sees the whole of it.
          body: z.unknown().meta(changesSchema),
        }),
      },
    }),
  },
});
