import { z } from "zod";

const opens = z.boolean().meta({ description: "A picture that nobody sees tells when a message is opened." });
const clicks = z.boolean().meta({
  description: 'Links in html lead by way of Hermod, but those of an `a` with `data-hermod-track="off"`.',
});

const shape = { opens: opens.optional(), clicks: clicks.optional() };

/** What a message asks for. */
export const tracking = z.strictObject(shape).meta({
  description:
    "What is tracked of this message; what is missing is as the routing policy says, or off. Only html is tracked, and only where the installation has an https base URL.",
  examples: [{ opens: true, clicks: true }],
});

/** What a policy asks for, of messages that do not say it themselves. */
export const policyTracking = z.strictObject(shape).meta({
  description:
    "What of messages is tracked that do not say it themselves; missing: nothing. Messages that come over SMTP are never tracked.",
});

/** How often something was done with a message. */
export function engagement(what: string) {
  return z
    .object({
      count: z.int().meta({ description: `How often ${what}.` }),
      machine_count: z.int().meta({ description: "How many of them were made by programs." }),
      first_at: z
        .string()
        .meta({ description: "When a person did so first; missing: nobody has.", format: "date-time" })
        .optional(),
    })
    .optional();
}
