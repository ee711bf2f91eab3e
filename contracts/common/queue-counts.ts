import { z } from "zod";
import { moment } from "../dashboard/common.ts";

/** Counts of waiting messages, of an account or of a part of it. */
export const queueCounts = {
  waiting: z
    .int()
    .meta({ description: "Number of messages that wait for their first or next attempt.", examples: [57] }),
  scheduled: z.int().meta({
    description: "Number of messages that wait for their `send_at`. They are not counted in `waiting`.",
    examples: [3],
  }),
  oldest_at: moment("Time when the oldest waiting message was accepted. `null` if none waits.").nullable(),
  other_waiting: z.int().meta({
    description: "Number of waiting messages to destinations that are not listed.",
    examples: [0],
  }),
  is_partial: z.boolean().meta({
    description:
      "Whether the count by destination stopped after two seconds. `waiting` is exact then, but some destinations are missing, and `oldest_at` covers only the others.",
  }),
};

export const queueDestination = z.object({
  domain: z.string().meta({ description: "Domain of the recipients.", examples: ["gmail.com"] }),
  waiting: z.int().meta({ description: "Number of messages that wait for an attempt.", examples: [42] }),
  oldest_at: moment("Time when the oldest of these messages was accepted."),
});
