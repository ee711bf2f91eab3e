import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { reading } from "../common/session-access.ts";
import { moment } from "./common.ts";

const c = initContract();

const kind = z.string().meta({
  description:
    "`accepted`, `scheduled`, `delivered`, `captured`, `deferred`, `bounced`, `suppressed`, `expired`, `failed`, `cancelled`, `complained`, `resent`; later versions may add kinds.",
  examples: ["delivered"],
});

const messageChange = z.object({
  id: z.string().meta({
    description: "Id of the change. A change that is reported twice has the same id.",
    examples: ["msg_01k9z4c3r8h2v6y0n5t7w1x3q9.1.delivered"],
  }),
  message_id: z
    .string()
    .meta({ description: "Id of the message.", examples: ["msg_01k9z4c3r8h2v6y0n5t7w1x3q9"] }),
  kind,
  at: moment("Time of the change."),
  attempt: z.int().meta({ description: "Number of the delivery attempt; 0 if there was none." }),
  category: z
    .string()
    .meta({ description: "Category of a failure; empty if there was none.", examples: ["mailbox_unknown"] }),
});

/** The data of an event `changes`. */
export const liveChanges = z
  .object({
    changes: z
      .array(messageChange)
      .meta({ description: "Changes in the order of their time, as far as it is known; at most 20." }),
    counts: z
      .array(z.object({ kind, count: z.int().meta({ description: "Number of changes of this kind." }) }))
      .meta({
        description:
          "Numbers of all changes since the previous event, by kind. They include the changes in `changes`.",
      }),
    skipped: z.int().meta({
      description:
        "Number of changes that are counted but left out of `changes`, because there were too many.",
    }),
  })
  .meta({ description: "The `data` of an event `changes`, as JSON." });

/** The data of an event `resources`. */
export const liveResources = z.object({
  resources: z.array(
    z.object({
      kind: z.string().meta({
        description:
          "`job`, `domain`, `webhook`, `incident`, `watched_domain` or `heartbeat`; later versions may add kinds.",
        examples: ["job"],
      }),
      id: z.string().meta({
        description:
          "Id of the job, webhook endpoint, incident, watched domain or heartbeat, or name of the domain.",
      }),
    }),
  ),
});

/** Schema of an event of the stream. The field `data` is JSON. */
const eventOf = (event: string, data: z.ZodType) => {
  const { $schema: _, ...contentSchema } = z.toJSONSchema(data);
  return {
    type: "object" as const,
    properties: {
      event: { const: event },
      id: { type: "string" as const, description: "Id from which a client can resume." },
      data: { type: "string" as const, contentMediaType: "application/json", contentSchema },
    },
    required: ["event", "data"],
  };
};

const eventSchema = {
  description: "An event of the stream.",
  anyOf: [
    eventOf("changes", liveChanges),
    eventOf("resources", liveResources),
    eventOf("gap", z.strictObject({})),
  ],
};

export const live = c.router({
  watchEvents: {
    method: "GET",
    path: "/api/events",
    summary: "Watch messages, jobs, domains, webhook deliveries and incidents",
    description: [
      "Streams server-sent events (`EventSource`) to pages of this installation only. The stream covers the account of the session. It ends after 15 minutes, when the session ends, or when the session may no longer read messages. Browsers then reconnect with `Last-Event-ID`.",
      "An event `changes` reports changes of messages of the account, at most twice per second, one second after they happen. An event `resources` names up to 100 resources, each with `kind` and `id`: jobs (`job`, with `jobs.read`) and domains (`domain`, with `domains.read`; the `id` is the name) that were created, changed or removed, webhook endpoints (`webhook`, with `webhooks.read`) with a delivery that was created, attempted or ended, incidents (`incident`, with `alerts.read`) that were opened or changed, watched domains (`watched_domain`, with `intel.read`) with a check that began, finished a part or ended, and heartbeats (`heartbeat`, with `alerts.read`) that were created, changed or removed, or that received a ping. An event `gap` means that earlier changes were not reported: reload the displayed data. Each event has an id from which a client can resume. So has the comment that is sent every 15 seconds.",
      "Under load, further changes are only counted (`skipped`). A client that does not read is disconnected.",
    ].join("\n\n"),
    query: z.strictObject({
      last_event_id: z.string().optional().meta({
        description: "Id of the event after which to resume. The header `Last-Event-ID` takes precedence.",
      }),
    }),
    ...reading({
      access: "messages.read",
      faults: ["request.validation_failed", "request.cross_site", "live.too_many_streams", "live.full"],
      success: {
        200: c.otherResponse({
          contentType: "text/event-stream",
          // A stream: it is not validated as a whole.
          body: z.unknown().meta(eventSchema),
        }),
      },
    }),
  },
});
