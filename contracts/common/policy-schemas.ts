import { z } from "zod";
import { moment } from "../dashboard/common.ts";
import { count, newTransport, transport, wanted } from "./policy-transport.ts";
import { policyTracking } from "./tracking.ts";

/** Schemas of routing policies. */

export const policyName = z.string().meta({
  description: "1 to 100 characters of `a-z`, `0-9`, `.`, `_` and `-`, with a letter or digit at both ends.",
  examples: ["newsletter"],
});
const domains = z.array(z.string()).meta({
  description:
    "Domains of recipients. `*.example.com` matches every subdomain of `example.com`, but not `example.com` itself.",
  examples: [["example.org", "*.example.org"]],
});
const priority = z.string().meta({
  description: "`transactional` or `bulk`. Transactional messages are sent before bulk messages.",
  examples: ["transactional"],
});
const waits = z.array(count("Seconds.")).meta({
  description: "Seconds to wait after the first, second… failed attempt. The last value repeats.",
  examples: [[60, 300, 1800]],
});
const maxAge = wanted(
  "Seconds after which delivery is given up, from the time when the message was due. Missing: the setting of the installation.",
);
const listUnsubscribe = z
  .boolean()
  .meta({ description: "Whether messages have a List-Unsubscribe header with one-click unsubscribe." });
const limitFields = {
  concurrency: wanted("Maximum number of concurrent deliveries to one mail provider."),
  messages_per_minute: wanted("Maximum number of messages per minute to one mail provider."),
};
const sourceFields = {
  address: z.string().optional().meta({ description: "IPv4 address to connect from." }),
  address6: z.string().optional().meta({ description: "IPv6 address to connect from." }),
  helo_name: z.string().optional().meta({ description: "Host name for EHLO." }),
};

export const policy = z
  .object({
    name: policyName,
    default: z.boolean().meta({ description: "Whether messages without a policy name use this policy." }),
    revision: z.string().meta({
      description:
        "Revision of the policy. It changes each time the policy is stored, but not when the policy becomes the default.",
      examples: ["rev_01k9z4c3r8h2v6y0n5t7w1x3q9"],
    }),
    updated_at: moment("Time when the policy was last stored."),
    stored_by: z.string().meta({
      description:
        "`operator`: stored by the operator. Its servers can have any address, and members cannot change it. `account`: stored by a member. Its servers have public addresses.",
      examples: ["account"],
    }),
    transports: z
      .array(transport)
      .meta({ description: "Transports for recipients that match no rule, in the order of the attempts." }),
    rules: z
      .array(z.object({ domains, transports: z.array(transport) }))
      .meta({ description: "Rules. The first rule that matches the recipient's domain applies." }),
    retry: z
      .object({ waits_seconds: waits })
      .optional()
      .meta({ description: "Retry schedule. Missing: Hermod's own schedule." }),
    max_age_seconds: maxAge,
    priority,
    limits: z.object(limitFields).optional().meta({ description: "Limits. Missing: none." }),
    source: z
      .object(sourceFields)
      .optional()
      .meta({ description: "Source addresses. Missing: the operating system chooses them." }),
    list_unsubscribe: listUnsubscribe,
    tracking: policyTracking.optional(),
  })
  .meta({
    id: "Policy",
    description: "A routing policy: rules for the delivery of messages. Passwords are never shown.",
  });

export const policyContent = {
  transports: z.array(newTransport).meta({
    description:
      "1 to 10 transports, tried in order. Hermod uses the next one if the previous one cannot be reached.",
  }),
  rules: z
    .array(z.strictObject({ domains, transports: z.array(newTransport) }))
    .optional()
    .meta({ description: "Other transports for some domains: up to 100, with up to 1,000 domains." }),
  retry: z.strictObject({ waits_seconds: waits }).optional().meta({
    description: "Retry schedule: 1 to 50 waits of 1 second to 7 days. Missing: Hermod's own schedule.",
  }),
  max_age_seconds: maxAge,
  priority: priority.optional(),
  limits: z.strictObject(limitFields).optional().meta({ description: "Limits. Missing: none." }),
  source: z
    .strictObject(sourceFields)
    .optional()
    .meta({ description: "Source addresses. Missing: the operating system chooses them." }),
  list_unsubscribe: listUnsubscribe.optional(),
  tracking: policyTracking.optional(),
};

export const newPolicy = z
  .strictObject({ name: policyName, ...policyContent })
  .meta({ id: "NewPolicy", description: "A routing policy to evaluate. It does not have to be stored." });
