import { z } from "zod";
import { moment } from "../dashboard/common.ts";
import { message } from "./dashboard-message.ts";
import { text } from "./text-field.ts";

/** Numbers of messages that a bulk action or a filter selects. */

export const bulkCount = z
  .object({
    count: z.int().meta({ description: "Number of selected messages.", examples: [312] }),
    actionable: z.int().meta({
      description:
        "Number of selected messages that the action can currently be applied to. It skips the others.",
      examples: [290],
    }),
    has_more: z.boolean().meta({
      description:
        "`true` if more messages are selected than counted. Counting ends after 100,000 messages or eight seconds. The action applies to all selected messages.",
    }),
    sample: z.array(message).meta({ description: "Up to five messages that the action can be applied to." }),
    confirmation: text(
      "Confirmation token. The same user sends it with the same request to start the action.",
    ),
    confirm_before: moment("Time at which the confirmation expires, after 10 minutes."),
  })
  .meta({
    id: "BulkMessagesCount",
    description: "Number of messages that a bulk action selects. Nothing was changed.",
  });

export const matchCount = z
  .object({
    count: z
      .int()
      .meta({ description: "Number of messages that match the filter, 10,000 at most.", examples: [312] }),
    has_more: z.boolean().meta({
      description:
        "`true` if more than `count` messages match. Counting ends after 10,000 messages or two seconds.",
    }),
  })
  .meta({ id: "MatchingMessagesCount", description: "Number of messages that match a filter." });
