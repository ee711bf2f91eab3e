import { z } from "zod";
import { reportAddresses } from "./aggregate-report-schemas.ts";
import { check } from "./intel-check-schema.ts";
import { count, moment } from "./intel-fields.ts";
import { coverage, historyPoint, score, scoreDetails, topFinding } from "./intel-score-schemas.ts";
import { revision } from "./revision.ts";
import { text } from "./text-field.ts";
import { partsOf } from "./text-part.ts";

/** Schemas of workspaces, clients, domains, checks and listings, shared by the public API and the dashboard API. */

export const workspaceId = text("Id of the workspace.", "ws_01k9z4c3r8h2v6y0n5t7w1x3q9");
export const clientId = text("Id of the client.", "cl_01k9z4c3r8h2v6y0n5t7w1x3q9");
export const domainId = text("Id of the domain.", "dom_01k9z4c3r8h2v6y0n5t7w1x3q9");

export const findingCounts = z
  .object({
    critical: count(
      "Number of critical findings: mail is lost or rejected, or others can send in the name of the domain.",
    ),
    warning: count("Number of warnings: the problem reduces trust, or will become critical."),
    info: count("Number of informational findings."),
  })
  .meta({ id: "FindingCounts", description: "Number of checks that fail or warn, by severity." });

export const workspace = z
  .object({
    id: workspaceId,
    name: text("Name of the workspace.", "Acme Agency"),
    created_at: moment("Time of creation."),
    plan_limits: z
      .object({ clients: count("Maximum number of clients."), domains: count("Maximum number of domains.") })
      .meta({ id: "WorkspaceLimits", description: "Limits of the workspace." }),
    counts: z
      .object({
        clients: count("Number of active clients."),
        domains: count("Number of domains of all clients."),
        domains_by_status: z
          .record(z.string(), z.int())
          .meta({ description: "Number of domains by status.", examples: [{ healthy: 12, critical: 1 }] }),
        listings_open: count("Number of open blacklist listings."),
      })
      .meta({
        id: "WorkspaceCounts",
        description: "Numbers of clients, domains and listings in the workspace.",
      }),
    score_avg: z
      .number()
      .nullable()
      .meta({ description: "Mean score of the domains; `null` if no domain has a score.", examples: [81.5] }),
    coverage_avg: z
      .number()
      .nullable()
      .meta({
        description: "Mean coverage of the domains; `null` if nothing was measured yet.",
        examples: [0.91],
      }),
    resolver: z
      .object({
        kind: text("Kind: `system` or `configured`.", "configured"),
        dnssec: z
          .boolean()
          .nullable()
          .meta({ description: "`true` if the resolver validates DNSSEC; `null` if this is not known yet." }),
      })
      .meta({ id: "WorkspaceResolver", description: "DNS resolver of the checks." }),
    revision,
  })
  .meta({
    id: "Workspace",
    description: "Workspace of Deliverability Intel. A deliverability key has access to one workspace.",
  });

/** Editable fields of a client. */
export const clientFields = {
  external_ref: text(
    "Your own reference for the client, up to 200 characters. Unique in the workspace.",
    "crm-4711",
  ),
  contact_emails: z.array(z.string()).meta({
    description: "Recipients of reports: up to 20 e-mail addresses.",
    examples: [["it@example.com"]],
  }),
  tags: z
    .array(z.string())
    .meta({ description: "Up to 20 labels of 1 to 64 characters.", examples: [["retail"]] }),
  notes: text("Notes for your own use, up to 5,000 characters."),
  locale: text("Locale of reports: `en`, or `en` and a region.", "en-GB"),
  timezone: text("Time zone of reports, from the IANA database.", "Europe/Berlin"),
} as const;

export const clientName = text("Name of the client: 1 to 200 characters.", "Example Ltd");

export const newClient = z
  .strictObject({
    name: clientName,
    external_ref: clientFields.external_ref.optional(),
    contact_emails: clientFields.contact_emails.optional(),
    tags: clientFields.tags.optional(),
    notes: clientFields.notes.optional(),
    locale: clientFields.locale.optional(),
    timezone: clientFields.timezone.optional(),
  })
  .meta({ id: "NewClient", description: "Client to create." });

export const client = z
  .object({
    id: clientId,
    workspace_id: workspaceId,
    name: clientName,
    external_ref: clientFields.external_ref.nullable(),
    contact_emails: clientFields.contact_emails,
    tags: clientFields.tags,
    notes: clientFields.notes.nullable(),
    locale: clientFields.locale,
    timezone: clientFields.timezone,
    status: text("Status: `active` or `archived`. Later versions may add values.", "active"),
    counts: z
      .object({
        domains: count("Number of domains."),
        critical: count("Number of domains with the status `critical`."),
        warning: count("Number of domains with the status `warning`."),
      })
      .meta({ id: "ClientCounts", description: "Number of domains by status." }),
    score: z
      .number()
      .nullable()
      .meta({ description: "Mean score of the domains; `null` if no domain has a score.", examples: [81.5] }),
    created_at: moment("Time of creation."),
    updated_at: moment("Time of the last change."),
    revision,
  })
  .meta({ id: "Client", description: "Client of a workspace: the owner of watched domains." });

export const domainFields = {
  name: text(
    "Domain name, in Unicode or A-labels. Public suffixes, addresses and reserved names are not allowed.",
    "example.com",
  ),
  role: z.enum(["sending", "receiving", "parked"]).meta({
    description:
      "`sending`: the domain sends mail; `receiving`: it only receives mail; `parked`: it does neither.",
    examples: ["sending"],
  }),
  dkim_selectors: z
    .array(z.string())
    .meta({ description: "DKIM selectors of the domain: up to 20.", examples: [["s1", "s2"]] }),
  sending_ips: z.array(z.string()).meta({
    description: "Public IP addresses that send mail of the domain: up to 20.",
    examples: [["192.0.2.25"]],
  }),
  paused: z.boolean().meta({ description: "`true` if the checks of the domain are paused." }),
  tags: clientFields.tags,
  notes: clientFields.notes,
} as const;

export const newWatchedDomain = z
  .strictObject({
    client_id: clientId,
    name: domainFields.name,
    role: domainFields.role.optional(),
    dkim_selectors: domainFields.dkim_selectors.optional(),
    sending_ips: domainFields.sending_ips.optional(),
    paused: domainFields.paused.optional(),
    tags: domainFields.tags.optional(),
    notes: domainFields.notes.optional(),
  })
  .meta({ id: "NewWatchedDomain", description: "Domain to watch." });

export const watchedDomain = z
  .object({
    id: domainId,
    workspace_id: workspaceId,
    client_id: clientId,
    name: text("Name in A-labels.", "xn--bcher-kva.example"),
    name_unicode: text("Name in Unicode.", "bücher.example"),
    role: text("Role: `sending`, `receiving` or `parked`.", "sending"),
    status: text(
      "Status. `pending`: nothing was measured yet; `healthy`, `warning`, `critical`: severity of the worst finding; `error`: too little can be measured; `paused`: checks are paused. Later versions may add values.",
      "healthy",
    ),
    score,
    grade: text(
      "Grade from `A` to `F`; `null` if too little was measured and the score is provisional.",
      "B",
    ).nullable(),
    coverage,
    score_model: text("Version of the score model; `null` if there is no score yet.", "2").nullable(),
    score_delta_7d: z.int().nullable().meta({
      description:
        "Change of the score in the last seven days, in points; `null` if there was no score, or one of another model.",
    }),
    dkim_selectors: domainFields.dkim_selectors,
    sending_ips: domainFields.sending_ips,
    paused: domainFields.paused,
    tags: domainFields.tags,
    notes: domainFields.notes.nullable(),
    checked_at: moment("Time of the last check; `null` if there was none.").nullable(),
    next_check_at: moment("Time of the next check; `null` if the domain is paused.").nullable(),
    last_error: text("Reason why the last check was incomplete; `null` if it was complete.").nullable(),
    last_error_parts: partsOf("last_error"),
    findings: findingCounts,
    top_findings: z
      .array(topFinding)
      .meta({ description: "Up to 3 findings with the largest gain, largest first." }),
    listings_open: count("Number of open blacklist listings."),
    ...reportAddresses,
    reported_at: moment(
      "Time of the last arrival at one of these addresses; `null` if nothing arrived.",
    ).nullable(),
    checking: z
      .object({
        since: moment("Start of the check."),
        done: z.array(z.string()).meta({
          description:
            "Finished groups of checks: `spf`, `dkim`, `dmarc`, `mx`, `ipv6`, `reverse`, `ehlo`, `bimi`, `caa`, `expiry`, `dnssec` or `transport`. Later versions may add values.",
          examples: [["spf", "dkim"]],
        }),
        total: count("Number of groups."),
      })
      .meta({ id: "CheckProgress", description: "Progress of a check of a domain." })
      .nullable()
      .meta({ description: "Progress of the running check; `null` if none runs." }),
    hosted_by_hermod: z
      .boolean()
      .meta({ description: "`true` if the domain is a sending domain of the account." }),
    created_at: moment("Time at which the domain was added."),
    updated_at: moment("Time of the last change to the settings."),
    revision,
    checks: z
      .array(check)
      .optional()
      .meta({ description: "All checks. Present only with `include=checks`." }),
    score_details: scoreDetails
      .optional()
      .meta({ description: "Calculation of the score. Present only with `include=checks`." }),
    history: z.array(historyPoint).optional().meta({
      description: "Last 400 changes of the score, earliest first. Present only with `include=history`.",
    }),
  })
  .meta({ id: "WatchedDomain", description: "Watched domain and its status." });

export const listing = z
  .object({
    subject: text("IP address or domain that is checked.", "192.0.2.25"),
    kind: text("Kind of the subject: `ip` or `domain`.", "ip"),
    domain_ids: z
      .array(domainId)
      .meta({ description: "Ids of the domains that the subject concerns: the first 100." }),
    list: z
      .object({
        id: text("Id of the blacklist. The id of its check is `bl.` followed by this id.", "spamcop"),
        name: text("Name of the blacklist.", "SpamCop"),
        zone: text("DNS zone. `<key>` stands for the access key.", "bl.spamcop.net"),
        weight: count("Maximum points of the check; 0 if the check only informs."),
        terms_url: text("URL of the terms of use."),
      })
      .meta({
        id: "Blacklist",
        description: "Blacklist of addresses or domains, which receivers use to reject mail.",
      }),
    state: text(
      "State: `listed`; `clean`; `refused`: the blacklist does not answer queries from this installation; `error`: the query failed; `unreliable`: the answers of the blacklist are currently not reliable; `not_configured`: the blacklist is not used; `pending`: not checked yet, or a confirmation check is due.",
      "clean",
    ),
    codes: z
      .array(
        z
          .object({ code: text("Code in the answer.", "127.0.0.2"), meaning: text("Meaning of the code.") })
          .meta({
            id: "ListingCode",
            description: "Return code of the blacklist.",
          }),
      )
      .meta({ description: "Return codes of the listing." }),
    txt: text("Text record of the listing; `null` if there is none.").nullable(),
    reason: text("Reason why the state is unknown; `null` if it is known.").nullable(),
    first_seen_at: moment("Time at which the listing was first seen; `null` if there is none.").nullable(),
    last_seen_at: moment("Time at which the listing was last seen; `null` if there is none.").nullable(),
    checked_at: moment("Time of the last check; `null` if there was none.").nullable(),
    next_check_at: moment("Time of the next check; `null` if the blacklist is not used.").nullable(),
    delist_url: text("URL for removal requests."),
  })
  .meta({ id: "BlacklistStatus", description: "Status of an address or domain at a blacklist." });
