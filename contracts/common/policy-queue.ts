import { z } from "zod";
import { moment } from "../dashboard/common.ts";
import { auditActor } from "./audit-actor.ts";
import { queueCounts, queueDestination } from "./queue-counts.ts";
import { text } from "./text-field.ts";

/** Schemas of the waiting messages of a policy and of their holds. */

export const destinationOfHold = z
  .string()
  .max(300)
  .meta({
    description: "Domain of the recipients. Missing: all messages of the policy.",
    examples: ["example.org"],
  });

export const policyHold = z
  .object({
    policy: text("Name of the policy. Empty if a hold of the operator covers all policies.", "newsletter"),
    destination: text("Domain of the recipients. Empty if the hold covers all domains.", "example.org"),
    reason: text(
      "Reason of the hold. Empty for a hold of the operator that covers other accounts, too.",
      "The relay is down",
    ),
    held_at: moment("Time when the hold began."),
    held_by: auditActor,
    owner: text("`account`: members can release the hold. `operator`: only the operator can.", "account"),
  })
  .meta({ id: "PolicyHold", description: "A hold: no attempt begins for the messages that it covers." });

const destination = queueDestination
  .extend({ held: z.boolean().meta({ description: "Whether a hold covers these messages." }) })
  .meta({ id: "PolicyDestination", description: "Waiting messages of a policy to one domain." });

export const policyQueue = z
  .object({
    waiting: queueCounts.waiting,
    scheduled: queueCounts.scheduled,
    oldest_at: queueCounts.oldest_at,
    destinations: z
      .array(destination)
      .meta({ description: "Up to 20 destinations, in descending order of waiting messages." }),
    other_waiting: queueCounts.other_waiting,
    is_partial: queueCounts.is_partial,
    held: z.boolean().meta({ description: "Whether a hold covers all messages of the policy." }),
    holds: z.array(policyHold).meta({
      description: "Up to 100 holds that cover messages of the policy: those of the account first.",
    }),
    deleted: z.boolean().meta({
      description: "Whether the policy is deleted, so that only waiting messages use it.",
    }),
  })
  .meta({ id: "PolicyQueue", description: "Messages that wait under a policy, and their holds." });
