import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { messageStates } from "../common/message-filter.ts";
import { reading } from "../common/session-access.ts";
import { moment } from "./common.ts";

const c = initContract();

const kinds = ["accepted", ...messageStates.filter((state) => state !== "queued")] as const;
const dimensions = ["total", "category", "provider", "policy", "tag", "source"] as const;

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

const counted = z
  .object({
    step: z
      .string()
      .meta({ description: "How long a point lasts: `minute`, `hour` or `day`.", examples: ["hour"] }),
    points: z.array(moment("When the point begins.")),
    series: z.array(counterSeries).meta({ description: "Those with the largest sums first." }),
  })
  .meta({ id: "Counters", description: "How often something happened to messages, over time." });

export const counters = c.router({
  countMessages: {
    method: "GET",
    path: "/api/counters",
    summary: "Count what happened to messages",
    description:
      "For plots: read from counters, a second or so behind. Counters of minutes are kept for two days, of hours for 90 days, of days for two years.",
    query: z.object({
      from: moment("From then on; missing: a day before `until`.").optional(),
      until: moment("Before then; missing: now.").optional(),
      step: z.enum(["minute", "hour", "day"]).optional().meta({
        description:
          "How long a point lasts; missing: chosen by the length of the span. 1,500 points at most.",
      }),
      kind: several(z.enum(kinds)).optional().meta({ description: "What is counted; missing: everything." }),
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
    }),
    ...reading({
      access: "messages.read",
      faults: ["request.validation_failed"],
      success: { 200: counted },
    }),
  },
});
