import { z } from "zod";
import { accountId, moment } from "../dashboard/common.ts";
import { partsOf } from "./text-part.ts";

export const domainName = z
  .string()
  .meta({ description: "Domain name as A-labels in lower case.", examples: ["example.com"] });
const status = z.string().meta({
  description:
    "`unverified`: ownership is not proven; `verifying`: ownership is proven, but a required record is missing; `verified`: all required records are published; `degraded`: a required record is confirmed to be gone, and the domain may send until `sends_until`; `failed`: that time is over.",
  examples: ["verified"],
});
const reasons = z
  .array(z.string())
  .meta({ description: "Reasons why the domain is not verified, in words.", examples: [[]] });
const reasonTexts = z
  .array(
    z
      .object({
        text: z.string().meta({ description: "Reason in words, as in `reasons`." }),
        parts: partsOf("text"),
      })
      .meta({ id: "DomainReason", description: "Reason why a domain is not verified." }),
  )
  .meta({ description: "`reasons` with their parts, in the same order." });

const summary = {
  account_id: accountId,
  name: domainName,
  status,
  status_since: moment("Time of the last change of status."),
  reasons,
  reason_texts: reasonTexts,
  may_send: z.boolean().meta({ description: "`true` if mail may be sent from addresses of the domain." }),
  verified_by: z.string().meta({
    description: "Source of the permission to send: `dns` or `operator`. Empty if the domain may not send.",
    examples: ["dns"],
  }),
  sends_until: moment(
    "Time from which a degraded domain may no longer send. Missing if the domain is not degraded.",
  ).optional(),
  dns_provider: z.string().meta({
    description: "DNS provider of the zone, derived from its name servers. Empty if unknown.",
    examples: ["Cloudflare"],
  }),
  name_servers: z
    .array(z.string())
    .meta({ description: "Name servers of the zone.", examples: [["ada.ns.cloudflare.com"]] }),
  created_at: moment("Time at which the domain was added."),
  checked_at: moment("Time of the last check. Missing if there was none.").optional(),
  next_check_at: moment("Time of the next automatic check."),
  link_expires_at: moment(
    "Time at which the public link to the records expires. Missing if there is no link.",
  ).optional(),
};

const foundAnswer = z
  .object({
    server: z.string().meta({ description: "Name server. Empty for the resolver." }),
    values: z.array(z.string()).meta({
      description:
        "Values in the answer. Empty if the record does not exist, or if the server did not answer.",
    }),
    failure: z.string().meta({ description: "Reason why the server did not answer. Empty if it answered." }),
    ttl_seconds: z.int().optional().meta({
      description:
        "Time to live of the answer, in seconds: resolvers may cache it for this long. Missing if it is not known.",
    }),
  })
  .meta({ id: "FoundAnswer", description: "Answer of one server." });

export const record = z
  .object({
    key: z.string().meta({ description: "Id of the record within its domain.", examples: ["ownership"] }),
    purpose: z.string().meta({
      description: "Purpose: `ownership`, `dkim`, `return_path`, `tracking`, `spf` or `dmarc`.",
      examples: ["ownership"],
    }),
    type: z.string().meta({ description: "Record type: `TXT`, `CNAME` or `MX`.", examples: ["TXT"] }),
    name: z.string().meta({
      description: "Name of the record, without a trailing dot.",
      examples: ["_hermod.example.com"],
    }),
    value: z.string().meta({
      description:
        "Value to publish, as one string. For SPF and DMARC it includes the contents of the existing record. Empty if there is nothing to publish.",
    }),
    required: z
      .boolean()
      .meta({ description: "`true` if the domain cannot be verified without the record." }),
    by_owner: z.boolean().meta({
      description:
        "`true` if the owner of the domain publishes the record; `false` if the operator of the installation does.",
    }),
    outcome: z.string().meta({
      description:
        "Result of the last conclusive check: `right`, `partial` (present at some name servers only), `wrong` or `missing`; `unknown` if there was no authoritative answer.",
      examples: ["right"],
    }),
    problem: z.string().meta({ description: "Problem with the record, in words." }),
    problem_parts: partsOf("problem"),
    note: z.string().meta({ description: "Additional information." }),
    note_parts: partsOf("note"),
    aliases: z.array(z.string()).meta({ description: "Targets of the aliases (CNAME)." }),
    found: z.array(foundAnswer).meta({ description: "Answers of the servers." }),
    learned_at: moment("Time of the check that led to `outcome`. Missing if there was none.").optional(),
    right_at: moment("Time at which the record was last right. Missing if it never was.").optional(),
    failure: z
      .string()
      .meta({ description: "Reason why the last check had no result. Empty if it had one." }),
    failure_parts: partsOf("failure"),
    failed_at: moment("Time of the check that had no result. Missing if the last check had one.").optional(),
    is_lost: z
      .boolean()
      .meta({ description: "`true` if the record was right before and is confirmed to be gone." }),
  })
  .meta({
    id: "DomainRecord",
    description: "DNS record required or recommended for a domain, and the result of the last check.",
  });

const dkimKey = z
  .object({
    selector: z.string().meta({ description: "DKIM selector of the key.", examples: ["hmmb1x0abcd12r"] }),
    algorithm: z
      .string()
      .meta({ description: "Algorithm: `rsa-sha256` or `ed25519-sha256`.", examples: ["rsa-sha256"] }),
    state: z.string().meta({
      description:
        "`upcoming`: not in use yet, publish its record; `signing`: in use; `retired`: no longer in use. Remove its record one week later.",
      examples: ["signing"],
    }),
    record_name: z.string().meta({ description: "Name of the TXT record." }),
    record_value: z.string().meta({ description: "Value of the TXT record, as one string." }),
    signs_from: moment("Time from which the key is used."),
  })
  .meta({ id: "DkimKey", description: "DKIM key, without its private key." });

export const listedDomain = z
  .object(summary)
  .meta({ id: "ListedDomain", description: "Sending domain, without its keys and records." });

export const domain = z
  .object({
    ...summary,
    keys: z.array(dkimKey).meta({ description: "DKIM keys, newest first." }),
    records: z.array(record).meta({ description: "Required and recommended DNS records." }),
  })
  .meta({ id: "Domain", description: "Sending domain with its keys and DNS records." });

export const domainEvent = z
  .object({
    id: z.string().meta({ description: "Id of the event.", examples: ["dev_01k9z4c3r8h2v6y0n5t7w1x3q9"] }),
    domain: domainName,
    kind: z.string().meta({
      description: "Kind of the event: `domain.status_changed`.",
      examples: ["domain.status_changed"],
    }),
    from: status,
    to: status,
    reasons,
    at: moment("Time of the event."),
  })
  .meta({ id: "DomainEvent", description: "Change of the status of a domain." });

export const domainLink = z
  .object({
    token: z.string().meta({ description: "Token of the link, the part after `#`.", format: "password" }),
    url: z.string().meta({
      description: "URL of the link. Empty if `HERMOD_BASE_URL` is not set.",
      examples: ["https://mail.example.com/dashboard/dns-records#dGhpcyBpcyBubyB0b2tlbg"],
    }),
    expires_at: moment("Time at which the link expires."),
  })
  .meta({
    id: "DomainLink",
    description: "Link to the DNS records of one domain. It works without a session.",
  });

export const sharedRecords = z
  .object({
    domain: domainName,
    status,
    reasons,
    reason_texts: reasonTexts,
    dns_provider: summary.dns_provider,
    name_servers: summary.name_servers,
    checked_at: summary.checked_at,
    next_check_at: summary.next_check_at,
    records: z.array(record).meta({ description: "Records that the owner of the domain publishes." }),
    zone_file: z.string().meta({ description: "Records to publish, as a zone file." }),
    expires_at: moment("Time at which the link expires."),
  })
  .meta({ id: "SharedDomainRecords", description: "Contents of a link to the DNS records of a domain." });
