import { z } from "zod";
import { reportAddresses } from "./aggregate-report-schemas.ts";
import { check } from "./intel-check-schema.ts";
import { count, moment } from "./intel-fields.ts";
import { coverage, historyPoint, score, scoreDetails, topFinding } from "./intel-score-schemas.ts";
import { revision } from "./revision.ts";
import { text } from "./text-field.ts";

/** What workspaces, clients, domains, checks and listings look like: in the API for keys, and in that of the dashboard. */

export const workspaceId = text("Id of the workspace.", "ws_01k9z4c3r8h2v6y0n5t7w1x3q9");
export const clientId = text("Id of the client.", "cl_01k9z4c3r8h2v6y0n5t7w1x3q9");
export const domainId = text("Id of the domain.", "dom_01k9z4c3r8h2v6y0n5t7w1x3q9");

export const findingCounts = z
  .object({
    critical: count("Mail is lost or refused, or others can send in the domain's name."),
    warning: count("It costs trust, or will become critical."),
    info: count("It is good to know."),
  })
  .meta({ id: "FindingCounts", description: "Checks that fail or warn, by severity." });

export const workspace = z
  .object({
    id: workspaceId,
    name: text("Its name.", "Acme Agency"),
    created_at: moment("When it was made."),
    plan_limits: z
      .object({ clients: count("Clients."), domains: count("Domains.") })
      .meta({ id: "WorkspaceLimits", description: "How many of each it may have." }),
    counts: z
      .object({
        clients: count("Clients that are active."),
        domains: count("Domains of all clients."),
        domains_by_status: z
          .record(z.string(), z.int())
          .meta({ description: "Domains by their status.", examples: [{ healthy: 12, critical: 1 }] }),
        listings_open: count("Entries in blacklists that last."),
      })
      .meta({ id: "WorkspaceCounts", description: "What is in it." }),
    score_avg: z
      .number()
      .nullable()
      .meta({ description: "Mean of the scores of its domains; null: none has one.", examples: [81.5] }),
    coverage_avg: z
      .number()
      .nullable()
      .meta({ description: "Mean of their coverage; null: nothing is measured yet.", examples: [0.91] }),
    resolver: z
      .object({
        kind: text("`system` or `configured`.", "configured"),
        dnssec: z
          .boolean()
          .nullable()
          .meta({ description: "Whether it validates DNSSEC; null: not known yet." }),
      })
      .meta({ id: "WorkspaceResolver", description: "Whom the checks ask for DNS records." }),
    revision,
  })
  .meta({ id: "Workspace", description: "What a deliverability key opens." });

/** The fields of a client that somebody gives it. */
export const clientFields = {
  external_ref: text("Your own name for it, up to 200 characters: no two clients have the same.", "crm-4711"),
  contact_emails: z
    .array(z.string())
    .meta({ description: "Whom reports go to: up to 20 addresses.", examples: [["it@example.com"]] }),
  tags: z
    .array(z.string())
    .meta({ description: "Up to 20 labels of 1 to 64 characters.", examples: [["retail"]] }),
  notes: text("For yourself, up to 5,000 characters."),
  locale: text("Locale of its reports: `en`, or `en` and a region.", "en-GB"),
  timezone: text("Of its reports, from the IANA database.", "Europe/Berlin"),
} as const;

export const clientName = text("1 to 200 characters.", "Example Ltd");

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
  .meta({ id: "NewClient", description: "A client to be made: only shapes are checked here." });

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
    status: text("`active` or `archived`; later versions may know more.", "active"),
    counts: z
      .object({
        domains: count("Its domains."),
        critical: count("Those whose status is `critical`."),
        warning: count("Those whose status is `warning`."),
      })
      .meta({ id: "ClientCounts", description: "How its domains stand." }),
    score: z
      .number()
      .nullable()
      .meta({ description: "Mean of the scores of its domains; null: none has one.", examples: [81.5] }),
    created_at: moment("When it was made."),
    updated_at: moment("When it was changed last."),
    revision,
  })
  .meta({ id: "Client", description: "Whose domains are watched." });

export const domainFields = {
  name: text(
    "The domain, in Unicode or A-labels. Not a public suffix, an address, or a name that is nobody's.",
    "example.com",
  ),
  role: z.enum(["sending", "receiving", "parked"]).meta({
    description:
      "`sending`: mail leaves in its name; `receiving`: it takes mail, and none leaves in its name; `parked`: neither.",
    examples: ["sending"],
  }),
  dkim_selectors: z
    .array(z.string())
    .meta({ description: "Selectors that sign for it: up to 20.", examples: [["s1", "s2"]] }),
  sending_ips: z.array(z.string()).meta({
    description: "Public addresses that its mail leaves from: up to 20.",
    examples: [["192.0.2.25"]],
  }),
  paused: z.boolean().meta({ description: "It is left alone until somebody resumes it." }),
} as const;

export const newWatchedDomain = z
  .strictObject({
    client_id: clientId,
    name: domainFields.name,
    role: domainFields.role.optional(),
    dkim_selectors: domainFields.dkim_selectors.optional(),
    sending_ips: domainFields.sending_ips.optional(),
    paused: domainFields.paused.optional(),
  })
  .meta({ id: "NewWatchedDomain", description: "A domain to be watched." });

export const watchedDomain = z
  .object({
    id: domainId,
    workspace_id: workspaceId,
    client_id: clientId,
    name: text("In A-labels.", "xn--bcher-kva.example"),
    name_unicode: text("The same for people to read.", "bücher.example"),
    role: text("`sending`, `receiving` or `parked`.", "sending"),
    status: text(
      "`pending`: nothing was measured yet; `healthy`, `warning`, `critical`: by its worst finding; `error`: too little can be measured; `paused`. Later versions may know more.",
      "healthy",
    ),
    score,
    grade: text("`A` to `F`; null: too little is measured, and the score is provisional.", "B").nullable(),
    coverage,
    score_model: text("The model that it is scored by; null: it has no score yet.", "2").nullable(),
    score_delta_7d: z.int().nullable().meta({
      description: "The score less that of seven days ago; null: there was none, or of another model.",
    }),
    dkim_selectors: domainFields.dkim_selectors,
    sending_ips: domainFields.sending_ips,
    paused: domainFields.paused,
    checked_at: moment("When it was checked last; null: not yet.").nullable(),
    next_check_at: moment("When it will be; null: it is paused.").nullable(),
    last_error: text("Why the last look could not measure all; null: it could.").nullable(),
    findings: findingCounts,
    top_findings: z.array(topFinding).meta({ description: "Those worth most, the best first: 3 at most." }),
    listings_open: count("Entries in blacklists that last."),
    ...reportAddresses,
    reported_at: moment("When something last came there; null: nothing has.").nullable(),
    hosted_by_hermod: z.boolean().meta({ description: "It is one of the sending domains of the account." }),
    created_at: moment("When it was added."),
    updated_at: moment("When its owner changed it last."),
    revision,
    checks: z.array(check).optional().meta({ description: "With `include=checks` alone: every check." }),
    score_details: scoreDetails
      .optional()
      .meta({ description: "With `include=checks` alone: how the score comes about." }),
    history: z.array(historyPoint).optional().meta({
      description: "With `include=history` alone: the last 400 changes of the score, the earliest first.",
    }),
  })
  .meta({ id: "WatchedDomain", description: "A domain that is watched, and how it stands." });

export const listing = z
  .object({
    subject: text("What the list is asked about: an address, or a domain.", "192.0.2.25"),
    kind: text("`ip` or `domain`.", "ip"),
    domain_ids: z.array(domainId).meta({ description: "The domains that it concerns: the first 100." }),
    list: z
      .object({
        id: text("Names it: its check is `bl.` and this.", "spamcop"),
        name: text("Its name.", "SpamCop"),
        zone: text("Its zone; `<key>` stands where a key goes.", "bl.spamcop.net"),
        weight: count("Points that its check can give; 0: it only informs."),
        terms_url: text("Its terms of use."),
      })
      .meta({ id: "Blacklist", description: "A list of addresses or domains that mail is refused from." }),
    state: text(
      "`listed`, `clean`; `refused`: the list answers this installation no questions; `error`: it could not be asked; `unreliable`: its answers are not to be believed now; `not_configured`: it is not asked; `pending`: it was not asked yet, or a second look has to confirm what was seen.",
      "clean",
    ),
    codes: z
      .array(
        z.object({ code: text("As answered.", "127.0.0.2"), meaning: text("What it means.") }).meta({
          id: "ListingCode",
          description: "What the list has answered.",
        }),
      )
      .meta({ description: "Of a listing." }),
    txt: text("What the list says of it; null: nothing.").nullable(),
    reason: text("Why nothing is known; null: something is.").nullable(),
    first_seen_at: moment("When the listing was seen first; null: there is none.").nullable(),
    last_seen_at: moment("When it was seen last.").nullable(),
    checked_at: moment("When the list was asked last; null: not yet.").nullable(),
    next_check_at: moment("When it will be; null: it is not asked.").nullable(),
    delist_url: text("Where to ask for removal."),
  })
  .meta({ id: "BlacklistStatus", description: "How a subject stands at a list." });
