import { z } from "zod";
import { moment } from "../dashboard/common.ts";

/** What `explainPolicy` answers: each part with a sentence of why. */

const reason = z.string().meta({ description: "Why, in words." });
const count = (description: string) => z.int().meta({ description });
const text = (description: string) => z.string().meta({ description });
const flag = (description: string) => z.boolean().meta({ description });

const routeFound = z
  .object({
    kind: z.string().meta({
      description:
        "`hosts`, or why there are none: `null_mx`, `no_domain` and `no_route` are final, `temporary` is not.",
      examples: ["hosts"],
    }),
    reason,
    hosts: z
      .array(
        z.object({
          exchange: text("The server's name."),
          preference: count("The lowest first."),
          addresses: z.array(z.string()).meta({ description: "In the order in which they would be tried." }),
          tls: text("`opportunistic`, `required`, or `refused`: mail for the domain may not be given to it."),
          certificate: z.array(z.string()).meta({
            description:
              "By what its certificate must prove its name, `authority` or `dane`; empty: any will do.",
          }),
          asked_by: z
            .array(z.string())
            .meta({ description: "Who asks for that: `policy`, `dane`, `mta_sts`." }),
          reason,
        }),
      )
      .meta({
        description:
          "In the order in which they would be tried; chance decides among those of one preference.",
      }),
    unusable: z
      .array(z.string())
      .meta({ description: "Servers that the domain names and that mail cannot go to." }),
  })
  .meta({ id: "PolicyRouteFound", description: "What the DNS says of the way to the domain." });

const transportExplanation = z
  .object({
    kind: text("`sandbox`, `smtp` or `direct`."),
    servers: z
      .array(z.object({ host: text("A host name or an address."), port: count("The port that is used.") }))
      .meta({ description: "Of `smtp`, in the order in which they are tried." }),
    tls: text("As in the policy; empty for `sandbox`."),
    certificate_verified: flag(
      "The server has to prove its name by a certificate. For `direct` the domain may ask for more.",
    ),
    plain_text_allowed: flag("Mail goes in plain text where TLS is not offered, or does not work."),
    username: text("Empty: nobody logs in."),
    max_connections: count("To each server."),
    public_addresses_only: flag("Addresses that are not public are never connected to."),
    dkim: text(
      "DKIM signatures that Hermod adds: `both`, `rsa`, `ed25519` or `none`. A domain without keys has none.",
    ),
    reason,
    questions: z
      .array(
        z.object({ name: text("What is asked for."), type: text("As `MX`; `A and AAAA` together."), reason }),
      )
      .meta({ description: "Of `direct`: what is asked of the DNS." }),
    found: routeFound.optional(),
  })
  .meta({ id: "PolicyTransportExplanation", description: "One way out that would be tried." });

export const policyExplanation = z
  .object({
    recipient: text("As it is read: the domain as A-labels, in lower case."),
    domain: text("The recipient's."),
    policy: text("The policy's name."),
    stored: flag("False: what is explained is the policy of the request."),
    rule: z.object({
      index: count("From 0; missing: no rule names the domain.").optional(),
      pattern: text("Which of its domains named the recipient's; empty: none."),
      reason,
    }),
    transports: z
      .array(transportExplanation)
      .meta({ description: "In the order in which they would be tried." }),
    limits: z.object({
      concurrency: count("Deliveries under way at once, to one mail provider or relay."),
      messages_per_minute: count("Missing: no limit.").optional(),
      reason,
    }),
    retry: z.object({
      waits_seconds: z.array(z.int()).meta({ description: "The last one repeats." }),
      attempts: z
        .array(
          z.object({
            number: count("From 1."),
            at: moment("At the earliest: up to a tenth of the wait is added by chance."),
            wait_seconds: count("After the one before."),
          }),
        )
        .meta({ description: "For a message that is due now and that nobody takes: the first 50." }),
      more: flag("There are more attempts than these."),
      expires_at: moment("When it would be given up."),
      reason,
    }),
    priority: z.object({ value: text("`transactional` or `bulk`."), reason }),
    source: z.object({
      address: text("IPv4; empty: the machine's choice."),
      address6: text("IPv6; empty: the machine's choice."),
      helo_name: text("Empty: the installation's."),
      reason,
    }),
    list_unsubscribe: z.object({ added: flag("Messages would carry it."), reason }),
    tracking: z.object({
      opens: flag("It would be told of that the message is opened."),
      clicks: flag("It would be told of that its links are followed."),
      reason,
    }),
    suppression: z.object({ suppressed: flag("Nothing would be sent."), reason }),
  })
  .meta({
    id: "PolicyExplanation",
    description: "What would become of a message to one recipient, and why. No secrets are in it.",
  });
