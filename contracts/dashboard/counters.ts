import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { messageStates } from "../common/message-filter.ts";
import { queueCounts, queueDestination } from "../common/queue-counts.ts";
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

/** Accepts one value, or several as `name=a&name=b`. */
const several = <T extends z.ZodType>(value: T) =>
  z.preprocess((given) => (given === undefined || Array.isArray(given) ? given : [given]), z.array(value));

export const counterSeries = z
  .object({
    value: z.string().meta({ description: "Value of the dimension; empty for the total." }),
    is_other: z
      .boolean()
      .meta({ description: "Whether the series combines all values without a series of their own." }),
    kind: z.string().meta({ description: "Kind of event that is counted.", examples: ["delivered"] }),
    counts: z.array(z.int()).meta({ description: "One entry for each point.", examples: [[12, 0, 7]] }),
    sum: z.int().meta({ description: "Sum over all points.", examples: [19] }),
  })
  .meta({ id: "CounterSeries", description: "Number of events of one kind, point by point." });

const measuredSince = moment(
  "Time since which some of these figures are measured: the time of an update. `null` if all figures are measured at all points.",
).nullable();

const percentiles = z
  .object({
    count: z.int().meta({ description: "Number of measured deliveries.", examples: [1200] }),
    p50_ms: z.int().meta({
      description: "Milliseconds within which 50 % of the messages were delivered.",
      examples: [840],
    }),
    p95_ms: z.int().meta({
      description: "Milliseconds within which 95 % of the messages were delivered.",
      examples: [3100],
    }),
    p99_ms: z.int().meta({
      description: "Milliseconds within which 99 % of the messages were delivered.",
      examples: [9800],
    }),
  })
  .nullable()
  .meta({
    id: "LatencyPercentiles",
    description: "Percentiles with an error of at most 3 %. `null` if no delivery was measured.",
  });

export const latencySeries = z
  .object({
    value: z.string().meta({ description: "Value of the dimension; empty for the total." }),
    is_other: z
      .boolean()
      .meta({ description: "Whether the series combines all values without a series of their own." }),
    all: percentiles,
    points: z.array(percentiles).meta({ description: "One entry for each point." }),
  })
  .meta({ id: "LatencySeries", description: "Time from acceptance to delivery, point by point." });

const measured = z
  .object({
    step: z
      .string()
      .meta({ description: "Length of a point: `minute`, `hour` or `day`.", examples: ["hour"] }),
    points: z.array(moment("Start of the point.")),
    series: z.array(latencySeries).meta({ description: "Series, in descending order of deliveries." }),
    measured_since: measuredSince,
  })
  .meta({ id: "Latency", description: "Time from acceptance to delivery." });

const queue = z
  .object({
    waiting: queueCounts.waiting,
    scheduled: queueCounts.scheduled,
    oldest_at: queueCounts.oldest_at,
    destinations: z
      .array(queueDestination)
      .meta({ description: "Destinations, in descending order of waiting messages." }),
    other_waiting: queueCounts.other_waiting,
    is_partial: queueCounts.is_partial,
  })
  .meta({ id: "Queue", description: "Messages of the account that wait now." });

const counted = z
  .object({
    step: z
      .string()
      .meta({ description: "Length of a point: `minute`, `hour` or `day`.", examples: ["hour"] }),
    points: z.array(moment("Start of the point.")),
    series: z.array(counterSeries).meta({ description: "Series, in descending order of their sums." }),
    measured_since: measuredSince,
  })
  .meta({ id: "Counters", description: "Number of events of messages, over time." });

const span = z.object({
  from: moment("Start of the time range, inclusive. Missing: one day before `until`.").optional(),
  until: moment("End of the time range, exclusive. Missing: now.").optional(),
  step: z.enum(["minute", "hour", "day"]).optional().meta({
    description:
      "Length of a point. Missing: chosen by the length of the time range. The result has at most 1,500 points.",
  }),
  dimension: z
    .enum(dimensions)
    .optional()
    .meta({ description: "Dimension of the series. Missing: `total`." }),
  value: several(z.string())
    .optional()
    .meta({ description: "Only these values, at most 50. Missing: the values with the highest counts." }),
  top: z.coerce
    .number()
    .int()
    .min(1)
    .max(50)
    .optional()
    .meta({ description: "Number of values with a series of their own. Default: 10." }),
  time_zone: z
    .string()
    .optional()
    .meta({
      description: "Time zone in which days begin (IANA). Missing: UTC.",
      examples: ["Europe/Berlin"],
    }),
});

export const counters = c.router({
  countMessages: {
    method: "GET",
    path: "/api/counters",
    summary: "Count events of messages",
    description:
      "Returns counts for plots from counters, which are about one second behind. Counters of minutes are kept for two days, counters of hours for 90 days, and counters of days for two years.",
    query: span.extend({
      kind: several(z.enum(kinds))
        .optional()
        .meta({ description: "Kinds of events to count. Missing: all." }),
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
        .meta({ description: "Number of destinations to list. Default: 20." }),
    }),
    ...reading({
      access: "messages.read",
      faults: ["request.validation_failed", "service.busy"],
      success: { 200: queue },
    }),
  },
});
