import { z } from "zod";
import { accountId, moment } from "../dashboard/common.ts";

export const domainName = z
  .string()
  .meta({ description: "As A-labels, in lower case.", examples: ["example.com"] });
const status = z.string().meta({
  description:
    "`unverified`: nobody has proven to own it; `verifying`: that is proven, and a required record is missing; `verified`; `degraded`: something required is gone for sure, and it sends until `sends_until`; `failed`: that time is over.",
  examples: ["verified"],
});
const reasons = z
  .array(z.string())
  .meta({ description: "What keeps it from being verified, in words.", examples: [[]] });

const summary = {
  account_id: accountId,
  name: domainName,
  status,
  status_since: moment("Since when it stands so."),
  reasons,
  may_send: z.boolean().meta({ description: "Whether mail may be sent from its addresses." }),
  verified_by: z.string().meta({
    description: "By what it may: `dns` or `operator`, who vouches for it; empty: it may not.",
    examples: ["dns"],
  }),
  sends_until: moment("When a degraded domain stops to send; missing: it is not degraded.").optional(),
  dns_provider: z.string().meta({
    description: "Where its zone is edited, as far as its name servers tell; empty: not known.",
    examples: ["Cloudflare"],
  }),
  name_servers: z
    .array(z.string())
    .meta({ description: "Of its zone.", examples: [["ada.ns.cloudflare.com"]] }),
  created_at: moment("When it was added."),
  checked_at: moment("When it was looked at last; missing: not yet.").optional(),
  next_check_at: moment("When it is looked at again by itself."),
  link_expires_at: moment(
    "Until when a link shows its records without a session; missing: there is no link.",
  ).optional(),
};

const foundAnswer = z
  .object({
    server: z.string().meta({ description: "The name server; empty: the resolver." }),
    values: z.array(z.string()).meta({ description: "What it has; empty: nothing, or it has not answered." }),
    failure: z.string().meta({ description: "Why it has not answered; empty: it has." }),
    ttl_seconds: z
      .int()
      .optional()
      .meta({ description: "How long others may go on with this answer; missing: it does not say." }),
  })
  .meta({ id: "FoundAnswer", description: "What one of those who were asked has answered." });

export const record = z
  .object({
    key: z.string().meta({ description: "Names it within its domain.", examples: ["ownership"] }),
    purpose: z.string().meta({
      description: "`ownership`, `dkim`, `return_path`, `tracking`, `spf` or `dmarc`.",
      examples: ["ownership"],
    }),
    type: z.string().meta({ description: "`TXT`, `CNAME` or `MX`.", examples: ["TXT"] }),
    name: z.string().meta({ description: "Without a dot at its end.", examples: ["_hermod.example.com"] }),
    value: z.string().meta({
      description:
        "The value to publish, in one piece; for SPF and DMARC it goes along with what is there. Empty: there is none to publish.",
    }),
    required: z.boolean().meta({ description: "Without it the domain is not verified." }),
    by_owner: z.boolean().meta({
      description: "Whether the domain's owner publishes it; otherwise whoever runs the installation.",
    }),
    outcome: z.string().meta({
      description:
        "`right`, `partial` (at some of the name servers only), `wrong`, `missing` or `unknown`: nobody who knows has answered.",
      examples: ["right"],
    }),
    problem: z.string().meta({ description: "What is wrong, in words." }),
    note: z.string().meta({ description: "What else is worth knowing." }),
    aliases: z.array(z.string()).meta({ description: "Where aliases (CNAME) lead to." }),
    found: z.array(foundAnswer).meta({ description: "By whom it was said." }),
    learned_at: moment("When that was learned; missing: never.").optional(),
    right_at: moment("When it was right last; missing: never.").optional(),
    failure: z.string().meta({ description: "Why the last look has learned nothing; empty: it has." }),
    failed_at: moment("When that look was; missing: it has learned something.").optional(),
    is_lost: z.boolean().meta({ description: "It was right, and is gone for sure." }),
  })
  .meta({ id: "DomainRecord", description: "A DNS record that a domain is to have, and what was found." });

const dkimKey = z
  .object({
    selector: z.string().meta({ description: "Names the key.", examples: ["hmmb1x0abcd12r"] }),
    algorithm: z
      .string()
      .meta({ description: "`rsa-sha256` or `ed25519-sha256`.", examples: ["rsa-sha256"] }),
    state: z.string().meta({
      description: "`upcoming`: publish its record; `signing`; `retired`: its record may go a week later.",
      examples: ["signing"],
    }),
    record_name: z.string().meta({ description: "The TXT record's name." }),
    record_value: z.string().meta({ description: "Its value, in one piece." }),
    signs_from: moment("From when on it signs."),
  })
  .meta({ id: "DkimKey", description: "A DKIM key, without its private half." });

export const listedDomain = z
  .object(summary)
  .meta({ id: "ListedDomain", description: "A sending domain, without keys and records." });

export const domain = z
  .object({
    ...summary,
    keys: z.array(dkimKey).meta({ description: "Newest first." }),
    records: z.array(record).meta({ description: "All that are wanted." }),
  })
  .meta({ id: "Domain", description: "A sending domain, its keys, and its DNS records." });

export const domainEvent = z
  .object({
    id: z.string().meta({ description: "Names the event.", examples: ["dev_01k9z4c3r8h2v6y0n5t7w1x3q9"] }),
    domain: domainName,
    kind: z.string().meta({ description: "`domain.status_changed`.", examples: ["domain.status_changed"] }),
    from: status,
    to: status,
    reasons,
    at: moment("When."),
  })
  .meta({ id: "DomainEvent", description: "That the status of a domain has changed." });

export const domainLink = z
  .object({
    token: z.string().meta({ description: "Stands behind `#` in the link.", format: "password" }),
    url: z.string().meta({
      description: "The link; empty: Hermod does not know the address of its pages (`HERMOD_BASE_URL`).",
      examples: ["https://mail.example.com/dashboard/dns-records#dGhpcyBpcyBubyB0b2tlbg"],
    }),
    expires_at: moment("When the link expires."),
  })
  .meta({
    id: "DomainLink",
    description: "A link to the DNS records of one domain, for a person without a session.",
  });

export const sharedRecords = z
  .object({
    domain: domainName,
    status,
    reasons,
    dns_provider: summary.dns_provider,
    name_servers: summary.name_servers,
    checked_at: summary.checked_at,
    next_check_at: summary.next_check_at,
    records: z.array(record).meta({ description: "Those that the owner of the domain publishes." }),
    zone_file: z.string().meta({ description: "The records that are to be published, as a zone file." }),
    expires_at: moment("When the link expires."),
  })
  .meta({ id: "SharedDomainRecords", description: "What a link to the DNS records of a domain shows." });
