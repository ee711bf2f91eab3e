import { z } from "zod";
import { moment } from "../dashboard/common.ts";
import { flag } from "./text-field.ts";
import { partsOf } from "./text-part.ts";

/** Response of `explainPolicy`. Each part has a sentence with its reason. */

const because = {
  reason: z.string().meta({ description: "Explanation in words." }),
  reason_parts: partsOf("reason"),
};
const count = (description: string) => z.int().meta({ description });
const text = (description: string) => z.string().meta({ description });

const routeFound = z
  .object({
    kind: z.string().meta({
      description:
        "`hosts`, or the reason why there are none: `null_mx`, `no_domain` and `no_route` are permanent, `temporary` is not.",
      examples: ["hosts"],
    }),
    ...because,
    hosts: z
      .array(
        z.object({
          exchange: text("Host name of the server."),
          preference: count("Preference of the server. Lower values are tried first."),
          addresses: z
            .array(z.string())
            .meta({ description: "Addresses, in the order in which Hermod would try them." }),
          tls: text(
            "TLS: `opportunistic`, `required`, or `refused` if mail for the domain must not be sent to this server.",
          ),
          certificate: z.array(z.string()).meta({
            description:
              "Required verification of the certificate: `authority` or `dane`. Empty if any certificate is accepted.",
          }),
          asked_by: z
            .array(z.string())
            .meta({ description: "Sources of these requirements: `policy`, `dane`, `mta_sts`." }),
          ...because,
        }),
      )
      .meta({
        description:
          "Servers, in the order in which Hermod would try them. The order of servers with the same preference is random.",
      }),
    unusable: z
      .array(z.string())
      .meta({ description: "Servers that the domain names but that cannot receive mail." }),
  })
  .meta({ id: "PolicyRouteFound", description: "Mail servers of the domain according to the DNS." });

const transportExplanation = z
  .object({
    kind: text("Kind: `sandbox`, `smtp` or `direct`."),
    servers: z
      .array(z.object({ host: text("Host name or IP address."), port: count("Port.") }))
      .meta({ description: "Servers of an `smtp` transport, in the order in which Hermod tries them." }),
    tls: text("TLS mode of the policy. Empty for `sandbox`."),
    certificate_verified: flag(
      "`true` if the server must present a certificate for its name. For `direct`, the domain may require more.",
    ),
    plain_text_allowed: flag("`true` if mail is sent in plain text when TLS is not offered or fails."),
    username: text("User name for the relay. Empty if Hermod does not log in."),
    max_connections: count("Maximum number of connections to each server."),
    public_addresses_only: flag("`true` if Hermod connects only to public addresses."),
    dkim: text(
      "DKIM signatures that Hermod adds: `both`, `rsa`, `ed25519` or `none`. A domain without keys gets no signature.",
    ),
    ...because,
    questions: z
      .array(
        z.object({
          name: text("Name that is queried."),
          type: text("Record type, such as `MX`, or `A and AAAA` for both."),
          ...because,
        }),
      )
      .meta({ description: "DNS queries of a `direct` transport." }),
    found: routeFound.optional(),
  })
  .meta({ id: "PolicyTransportExplanation", description: "Transport that Hermod would try." });

const explained = z
  .object({
    recipient: text("Recipient, with the domain as A-labels in lower case."),
    domain: text("Domain of the recipient."),
    policy: text("Name of the policy."),
    stored: flag("`true` for a stored policy; `false` for the policy in the request."),
    rule: z.object({
      index: count("Index of the rule, from 0. Missing if no rule matches the domain.").optional(),
      pattern: text("Domain pattern of the rule that matched. Empty if no rule matches."),
      ...because,
    }),
    transports: z
      .array(transportExplanation)
      .meta({ description: "Transports, in the order in which Hermod would try them." }),
    limits: z.object({
      concurrency: count("Maximum number of concurrent deliveries to one mailbox provider or relay."),
      messages_per_minute: count(
        "Maximum number of messages per minute. Missing if there is no limit.",
      ).optional(),
      ...because,
    }),
    retry: z.object({
      waits_seconds: z
        .array(z.int())
        .meta({ description: "Waits between attempts, in seconds. The last one repeats." }),
      attempts: z
        .array(
          z.object({
            number: count("Number of the attempt, from 1."),
            at: moment(
              "Earliest time of the attempt. Hermod adds a random delay of up to a tenth of the wait.",
            ),
            wait_seconds: count("Wait after the previous attempt, in seconds."),
          }),
        )
        .meta({ description: "First 50 attempts for a message that is due now and that no server accepts." }),
      more: flag("`true` if there are more attempts."),
      expires_at: moment("Time at which the message would expire."),
      ...because,
    }),
    priority: z.object({ value: text("Priority: `transactional` or `bulk`."), ...because }),
    source: z.object({
      address: text("Source IPv4 address. Empty if the operating system chooses it."),
      address6: text("Source IPv6 address. Empty if the operating system chooses it."),
      helo_name: text("Name in HELO or EHLO. Empty for the name of the installation."),
      ...because,
    }),
    list_unsubscribe: z.object({
      added: flag("`true` if Hermod would add the List-Unsubscribe field."),
      ...because,
    }),
    tracking: z.object({
      opens: flag("`true` if Hermod would track opens."),
      clicks: flag("`true` if Hermod would track clicks."),
      ...because,
    }),
    suppression: z.object({
      suppressed: flag("`true` if the recipient is suppressed and nothing would be sent."),
      ...because,
    }),
  })
  .meta({
    id: "PolicyVersionExplanation",
    description: "Expected handling of a message to one recipient under one policy, with reasons.",
  });

const attempted = z
  .object({
    attempt: count("Number of the attempt."),
    at: moment("Time of the attempt."),
    policy: text("Name of the policy."),
    revision: text("Revision of the policy at that time."),
    version: count("Version of the policy at that time. 0 if Hermod no longer keeps it."),
    current: flag("`true` if the policy has not changed since."),
    ...because,
    explanation: explained.optional().meta({
      description:
        "The policy as it was at that time. Settings of the installation and suppressions are those of today. Missing if Hermod no longer keeps the version.",
    }),
  })
  .meta({ id: "AttemptedPolicy", description: "Policy that the last attempt of a message used." });

export const policyExplanation = explained
  .extend({
    attempted: attempted.optional().meta({
      description:
        "With `message_id`: the policy of the last attempt. Missing if no attempt has recorded a policy.",
    }),
  })
  .meta({
    id: "PolicyExplanation",
    description: "Expected handling of a message to one recipient, with reasons. It contains no secrets.",
  });
