import { z } from "zod";
import { text } from "./text-field.ts";

const number = (description: string, example: number) => z.int().meta({ description, examples: [example] });

const webhookType = z
  .object({
    type: text("Event type.", "message.delivered"),
    group: text("Part of the type before the dot.", "message"),
    description: text("Description of the event.", "A server accepted the message."),
    version: text("Version of the payload.", "2026-11-01"),
    is_subscribable: z.boolean().meta({
      description: "Whether endpoints can subscribe to the type. `false` for `webhook.test`.",
      examples: [true],
    }),
    schema: z
      .record(z.string(), z.unknown())
      .meta({ description: "JSON Schema (draft 2020-12) of the payload." }),
    example: z.record(z.string(), z.unknown()).meta({ description: "A payload." }),
  })
  .meta({ id: "WebhookType", description: "A type of events." });

export const webhookTypeList = z
  .object({ data: z.array(webhookType) })
  .meta({ id: "WebhookTypeList", description: "All event types." });

const percentile = (percent: number, example: number) =>
  number(`Milliseconds within which ${percent} % of the requests ended.`, example);

const attempts = z
  .object({
    count: number("Number of requests.", 1200),
    accepted: number("Requests with a response status from 200 to 299.", 1180),
    failed: number("All other requests.", 20),
    status_3xx: number("Requests with a response status from 300 to 399.", 0),
    status_4xx: number("Requests with a response status from 400 to 499.", 5),
    status_5xx: number("Requests with a response status from 500 on.", 12),
    no_answer: number("Requests without a response.", 3),
    durations: z
      .object({
        p50_ms: percentile(50, 84),
        p95_ms: percentile(95, 310),
        p99_ms: percentile(99, 980),
      })
      .meta({ id: "WebhookDurations", description: "Percentiles with an error of at most 3 %." })
      .optional()
      .meta({ description: "Durations of the requests. Missing if there were none." }),
  })
  .meta({ id: "WebhookAttempts", description: "Number of requests to an endpoint, by response." });

export const webhookStatistics = z
  .object({
    step: text("Length of a point: `minute`, `hour` or `day`.", "hour"),
    all: attempts,
    points: z
      .array(
        z
          .object({
            at: z.string().meta({
              description: "Start of the point.",
              format: "date-time",
              examples: ["2026-11-22T09:00:00.000Z"],
            }),
            attempts,
          })
          .meta({ id: "WebhookPoint", description: "Requests in one span of time." }),
      )
      .meta({ description: "Points in the order of time." }),
  })
  .meta({ id: "WebhookStatistics", description: "Requests to one endpoint, over time." });
