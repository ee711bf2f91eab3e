import { z } from "zod";
import { moment } from "../dashboard/common.ts";
import { message } from "./dashboard-message.ts";
import { text } from "./text-field.ts";

/** Numbers of messages: what a bulk action means, and what a filter finds. */

export const bulkCount = z
  .object({
    count: z.int().meta({ description: "Messages that are meant.", examples: [312] }),
    actionable: z.int().meta({
      description: "Those of them with which it can be done, as they are now; others are skipped.",
      examples: [290],
    }),
    has_more: z.boolean().meta({
      description:
        "There are more: 100,000 are counted at most, or as many as eight seconds are enough for. All of them are meant.",
    }),
    sample: z.array(message).meta({ description: "Up to five of those with which it can be done." }),
    confirmation: text("Begins it, given with the same request by the same user."),
    confirm_before: moment("Until when the confirmation holds: 10 minutes."),
  })
  .meta({ id: "BulkMessagesCount", description: "How many messages are meant. Nothing was changed." });

export const matchCount = z
  .object({
    count: z.int().meta({ description: "Messages that the filter finds, 10,000 at most.", examples: [312] }),
    has_more: z.boolean().meta({
      description:
        "There are more than `count`: more than 10,000, or more than two seconds are enough to count.",
    }),
  })
  .meta({ id: "MatchingMessagesCount", description: "Number of messages that a filter finds." });
