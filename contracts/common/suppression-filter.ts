import { z } from "zod";
import { moment } from "../dashboard/common.ts";
import { text } from "./text-field.ts";

export const reasons = ["hard_bounce", "manual", "unsubscribe", "complaint"] as const;

/** Query parameters that select entries of the suppression list. */
export const filter = {
  address: z
    .string()
    .optional()
    .meta({ description: "Only entries for this address, in every scope.", examples: ["ann@example.net"] }),
  domain: z
    .string()
    .optional()
    .meta({
      description: "Only addresses of this domain. A leading `@` is allowed.",
      examples: ["example.net"],
    }),
  reason: z.enum(reasons).optional().meta({ description: "Only entries with this reason." }),
  policy: z.string().optional().meta({ description: "Only entries for mail with this routing policy." }),
  scope: z.enum(["account"]).optional().meta({ description: "`account`: only entries for all mail." }),
  message_id: z.string().optional().meta({ description: "Only entries that this message led to." }),
  from: moment("Only entries that apply since this time or later.").optional(),
  until: moment("Only entries that apply since before this time.").optional(),
};

export const reasonCounts = z
  .array(
    z
      .object({
        reason: text("Reason.", "hard_bounce"),
        count: z.int().meta({ description: "Number of entries, at most 10,000.", examples: [312] }),
        has_more: z.boolean().meta({ description: "Whether there are more entries than `count`." }),
      })
      .meta({ id: "SuppressionReasonCount", description: "Number of entries with one reason." }),
  )
  .meta({ description: "Counts for each reason that the filter allows, from the weakest to the strongest." });

export const suppressionCounts = z
  .object({ reasons: reasonCounts })
  .meta({ id: "SuppressionCounts", description: "Number of entries that match a filter, by reason." });
