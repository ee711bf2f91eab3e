import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { messageStates } from "../common/message-filter.ts";
import { reading } from "../common/session-access.ts";
import { moment } from "./common.ts";

const c = initContract();

const kinds = [
  "accepted",
  ...messageStates.filter((state) => state !== "queued"),
  "opened",
  "clicked",
  "unsubscribed",
] as const;
const dimensions = [
  "total",
  "category",
  "provider",
  "policy",
  "tag",
  "source",
  "key",
  "template",
  "sending_domain",
] as const;

/** One value may be given as it is, several as `name=a&name=b`. */
const several = <T extends z.ZodType>(value: T) =>
  z.preprocess((given) => (given === undefined || Array.isArray(given) ? given : [given]), z.array(value));

export const counterSeries = z
  .object({
    value: z.string().meta({ description: "The value of the dimension; empty for the total." }),
    is_other: z.boolean().meta({ description: "All values together that have no series of their own here." }),
    kind: z.string().meta({ description: "What was counted.", examples: ["delivered"] }),
    counts: z.array(z.int()).meta({ description: "One for each point.", examples: [[12, 0, 7]] }),
    sum: z.int().meta({ description: "Of all points.", examples: [19] }),
  })
  .meta({ id: "CounterSeries", description: "How often something happened, point by point." });

const measuredSince = moment(
  "Some of these figures are measured only since then, when the installation was updated; null: all of them are measured at all points.",
).nullable();

const percentiles = z
  .object({
    count: z.int().meta({ description: "Deliveries that were measured.", examples: [1200] }),
    p50_ms: z
      .int()
      .meta({ description: "Half of the deliveries were faster, in milliseconds.", examples: [840] }),
    p95_ms: z
      .int()
      .meta({ description: "95 % of the deliveries were faster, in milliseconds.", examples: [3100] }),
    p99_ms: z
      .int()
      .meta({ description: "99 % of the deliveries were faster, in milliseconds.", examples: [9800] }),
  })
  .nullable()
  .meta({
    id: "LatencyPercentiles",
    description: "Percentiles, off by 3 % at most; null: nothing was measured.",
  });

export const latencySeries = z
  .object({
    value: z.string().meta({ description: "Value of the dimension; empty for the total." }),
    is_other: z.boolean().meta({ description: "All values together that have no series of their own here." }),
    all: percentiles,
    points: z.array(percentiles).meta({ description: "One for each point." }),
  })
  .meta({ id: "LatencySeries", description: "Time from acceptance to delivery, point by point." });

const measured = z
  .object({
    step: z
      .string()
      .meta({ description: "Length of a point: `minute`, `hour` or `day`.", examples: ["hour"] }),
    points: z.array(moment("Start of the point.")),
    series: z.array(latencySeries).meta({ description: "Values with the most deliveries first." }),
    measured_since: measuredSince,
  })
  .meta({ id: "Latency", description: "Time from acceptance to delivery." });

const destination = z.object({
  domain: z.string().meta({ description: "Domain of the recipients.", examples: ["gmail.com"] }),
  waiting: z.int().meta({ description: "Messages that wait for an attempt.", examples: [42] }),
  oldest_at: moment("Time when the oldest of them was accepted."),
});

const queue = z
  .object({
    waiting: z
      .int()
      .meta({ description: "Messages that wait for their first or next attempt.", examples: [57] }),
    scheduled: z.int().meta({
      description: "Messages that wait for their `send_at`; they are not in `waiting`.",
      examples: [3],
    }),
    oldest_at: moment("Time when the oldest waiting message was accepted; null: none waits.").nullable(),
    destinations: z
      .array(destination)
      .meta({ description: "Destinations with the most waiting messages first." }),
    other_waiting: z
      .int()
      .meta({ description: "Waiting messages to destinations that are not listed.", examples: [0] }),
    is_partial: z.boolean().meta({
      description:
        "Destinations were counted up to a time limit: `waiting` is exact, but some destinations are missing, and `oldest_at` is the oldest of the others.",
    }),
  })
  .meta({ id: "Queue", description: "Messages of the account that wait now." });

const counted = z
  .object({
    step: z
      .string()
      .meta({ description: "How long a point lasts: `minute`, `hour` or `day`.", examples: ["hour"] }),
    points: z.array(moment("When the point begins.")),
    series: z.array(counterSeries).meta({ description: "Those with the largest sums first." }),
    measured_since: measuredSince,
  })
  .meta({ id: "Counters", description: "How often something happened to messages, over time." });

const span = z.object({
  from: moment("From then on; missing: a day before `until`.").optional(),
  until: moment("Before then; missing: now.").optional(),
  step: z.enum(["minute", "hour", "day"]).optional().meta({
    description: "How long a point lasts; missing: chosen by the length of the span. 1,500 points at most.",
  }),
  dimension: z.enum(dimensions).optional().meta({ description: "By what; missing: `total`." }),
  value: several(z.string())
    .optional()
    .meta({ description: "Only these values, 50 at most; missing: those that were counted most." }),
  top: z.coerce
    .number()
    .int()
    .min(1)
    .max(50)
    .optional()
    .meta({ description: "How many values have a series of their own (10)." }),
  time_zone: z
    .string()
    .optional()
    .meta({ description: "In which days begin (IANA); missing: UTC.", examples: ["Europe/Berlin"] }),
});

export const counters = c.router({
  countMessages: {
    method: "GET",
    path: "/api/counters",
    summary: "Count what happened to messages",
    description:
      "For plots: read from counters, a second or so behind. Counters of minutes are kept for two days, of hours for 90 days, of days for two years.",
    query: span.extend({
      kind: several(z.enum(kinds)).optional().meta({ description: "What is counted; missing: everything." }),
    }),
    ...reading({
      access: "messages.read",
      faults: ["request.validation_failed"],
      success: { 200: counted },
    }),
  },
  measureLatency: {
    method: "GET",
    path: "/api/counters/latency",
    summary: "Measure the time to delivery",
    description:
      "Returns percentiles of the time from acceptance, or `send_at` if that is later, to delivery. Messages to the sandbox are not measured.",
    query: span,
    ...reading({
      access: "messages.read",
      faults: ["request.validation_failed"],
      success: { 200: measured },
    }),
  },
  countWaiting: {
    method: "GET",
    path: "/api/queue",
    summary: "Count waiting messages",
    description: "Counts the messages that wait for an attempt now, by destination.",
    query: z.object({
      top: z.coerce
        .number()
        .int()
        .min(1)
        .max(100)
        .optional()
        .meta({ description: "How many destinations are listed (20)." }),
    }),
    ...reading({
      access: "messages.read",
      faults: ["request.validation_failed", "service.busy"],
      success: { 200: queue },
    }),
  },
});
