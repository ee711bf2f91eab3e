import { z } from "zod";

const opens = z.boolean().meta({ description: "Tracks opens with an invisible image." });
const clicks = z.boolean().meta({
  description:
    'Tracks clicks: links in the HTML body go through Hermod, except those of an `a` element with `data-hermod-track="off"`.',
});

const shape = { opens: opens.optional(), clicks: clicks.optional() };

/** Tracking settings of a message. */
export const tracking = z.strictObject(shape).meta({
  description:
    "Tracking of this message. Default for each field: the setting of the routing policy, or off. Hermod tracks only HTML bodies, and only if the installation has an https base URL.",
  examples: [{ opens: true, clicks: true }],
});

/** Tracking settings of a policy, for messages without their own. */
export const policyTracking = z.strictObject(shape).meta({
  description:
    "Tracking of messages without their own setting. Default: no tracking. It also applies to messages submitted over SMTP, which have no setting of their own.",
});

/** Numbers of opens or clicks of a message. */
export function engagement(what: string) {
  return z
    .object({
      count: z.int().meta({ description: `Number of times ${what}, by persons and programs.` }),
      machine_count: z.int().meta({ description: "Number of these caused by programs." }),
      first_at: z
        .string()
        .meta({
          description: "Time of the first one by a person. Missing if there is none.",
          format: "date-time",
        })
        .optional(),
    })
    .optional();
}
