import { z } from "zod";
import { historySteps } from "./history-steps.ts";
import { fix } from "./intel-check-schema.ts";
import { count, moment } from "./intel-fields.ts";
import { clientId, domainId, findingCounts, listing } from "./intel-schemas.ts";
import { text } from "./text-field.ts";
import { partsOf } from "./text-part.ts";

/** Summaries over watched domains, in the dashboard API. */

const checkId = text("Id of the check. The documentation has the catalog.", "auth.dmarc.policy");
const severity = text("Severity: `critical`, `warning` or `info`.", "warning");
const domain = text("Domain in A-labels.", "example.com");
const domainGain = z.number().meta({
  description: "Points that the score of the domain gains when the finding is fixed.",
  examples: [2.5],
});

export const finding = z
  .object({
    check_id: checkId,
    category: text("Category: `auth`, `transport`, `infra` or `reputation`.", "auth"),
    title: text("Requirement that the domains do not meet."),
    reference: text("Source of the requirement.", "RFC 9989 section 4.7"),
    severity: text("Severity on the worst domain: `critical`, `warning` or `info`.", "warning"),
    gain: z.number().meta({
      description:
        "Sum of the points that the scores of all domains gain when this finding alone is fixed. The gains of several findings do not add up exactly, because of caps.",
      examples: [42.5],
    }),
    domain_count: count("Number of domains with the finding."),
    severities: findingCounts,
    domains: z
      .array(
        z
          .object({ domain_id: domainId, domain, client_id: clientId, severity, gain: domainGain })
          .meta({ id: "FindingDomain", description: "Domain with a finding." }),
      )
      .meta({ description: "The three domains with the largest gain, largest first." }),
  })
  .meta({ id: "Finding", description: "Finding over the domains of a client or workspace." });

export const findings = z
  .object({
    data: z.array(finding).meta({ description: "All findings, largest gain first." }),
    domain_count: count("Number of domains in the scope. Paused domains do not count."),
    scored_count: count("Number of these domains with a score."),
  })
  .meta({ id: "FindingList", description: "Findings of a client or workspace by the gain of their repair." });

export const findingDetails = z
  .object({
    domain_id: domainId,
    domain,
    domain_unicode: text("Domain in Unicode.", "bücher.example"),
    client_id: clientId,
    client_name: text("Name of the client.", "Example Ltd"),
    severity,
    gain: domainGain,
    observed: text("Observed state."),
    observed_parts: partsOf("observed"),
    expected: text("Expected state."),
    expected_parts: partsOf("expected"),
    since: moment("Time of the last change of the result; `null` if it is not known.").nullable(),
    checked_at: moment("Time of the last check; `null` if it is not known.").nullable(),
    fix: fix.nullable().meta({ description: "Fix; `null` if there is nothing to fix, or no known fix." }),
  })
  .meta({ id: "FindingDetails", description: "Finding of one domain, with its fix." });

const scorePoint = z
  .object({
    at: moment("Beginning of the step. The values are those at its end, or the present ones."),
    score: z
      .number()
      .nullable()
      .meta({
        description:
          "Score of the domain, or mean score of the domains; `null` if there was none, or if it is not known.",
        examples: [81.5],
      }),
    coverage: z
      .number()
      .nullable()
      .meta({
        description: "Coverage of the domain, or mean coverage; `null` if it is not known.",
        examples: [0.91],
      }),
    status: text(
      "Status of the domain; `null` for a client or workspace, and if it is not known.",
      "healthy",
    ).nullable(),
    domain_count: count("Number of domains in the scope at that time; `null` if it is not known.").nullable(),
    score_model: text("Version of the score model; `null` if there was no score.", "2").nullable(),
    model_changed: z.boolean().meta({
      description:
        "`true` if the model differs from that of the previous point: the two scores cannot be compared.",
    }),
  })
  .meta({ id: "ScoreHistoryPoint", description: "Score at the end of one step." });

export const scoreHistory = z
  .object({
    step: z.enum(historySteps).meta({ description: "Length of a step." }),
    points: z.array(scorePoint).meta({ description: "One point for each step, earliest first." }),
  })
  .meta({ id: "ScoreHistory", description: "Score of a domain, client or workspace over time." });

export const blacklistHealth = z
  .object({
    list: listing.shape.list,
    delist_url: text("URL for removal requests."),
    state: text(
      "State. `on`: it is used; `untested`: its first self-test is due; `failing`: it failed its last self-test, and is not queried until it passes; `off`: it failed twice in a row, and must pass twice; `not_configured`: the operator does not use it. Later versions may add values.",
      "on",
    ),
    reason: text(
      "Reason why the blacklist is not used, as a clause; `null` if it is used.",
      "it is not enabled",
    ).nullable(),
    failure: text(
      "Failure of the last self-test: `lists_everything`, `rewritten`, `lists_nothing`, `wrong_code`, `refused` or `error`; `null` if it passed, or if there was none.",
      "refused",
    ).nullable(),
    tested_at: moment("Time of the last self-test; `null` if there was none.").nullable(),
    queries_per_day: count("Budget: queries within any 24 hours; `null` if it is not configured.").nullable(),
    queries_today: count(
      "Queries since midnight UTC, for all accounts of the installation; `null` if it is not configured.",
    ).nullable(),
    interval_seconds: count(
      "Seconds between two checks of an address or domain; `null` if it is not configured.",
    ).nullable(),
    wanted_interval_seconds: count(
      "The same with a sufficient budget. If `interval_seconds` is larger, the budget is too small for all addresses and domains; `null` if it is not configured.",
    ).nullable(),
  })
  .meta({ id: "BlacklistHealth", description: "Blacklist and its health in this installation." });

export const blacklistHealths = z
  .object({ data: z.array(blacklistHealth) })
  .meta({ id: "BlacklistHealthList", description: "All blacklists that Hermod knows." });

const dmarcSums = z
  .object({
    messages: count("Number of messages that receivers reported."),
    passed: count("Messages that pass DMARC."),
    failed: count("Messages that fail DMARC."),
    dkim_aligned: count("Messages with an aligned DKIM signature."),
    spf_aligned: count("Messages with an aligned SPF result."),
    overridden: count("Messages that the receiver handled differently from the policy."),
    dispositions: z
      .object({
        none: count("Accepted messages."),
        quarantine: count("Messages in quarantine."),
        reject: count("Rejected messages."),
        other: count("Messages with a disposition that no RFC defines."),
      })
      .meta({ id: "DmarcDispositions", description: "Number of messages by handling of the receiver." }),
  })
  .meta({ id: "DmarcSums", description: "Numbers of messages." });

export const dmarcSource = z
  .object({
    source: text("Name of a service, or range of addresses.", "Google"),
    known: z.boolean().meta({ description: "`true` if Hermod knows the service." }),
    address_count: count("Number of addresses that sent."),
    domain_count: count("Number of domains in the From fields of its mail."),
    domains: z
      .array(z.string())
      .meta({ description: "Domains with the most messages, up to 10.", examples: [["example.com"]] }),
    sums: dmarcSums,
    messages_by_day: z
      .array(z.int())
      .meta({ description: "Messages of each day in `days`.", examples: [[12, 0, 7]] }),
    failed_by_day: z
      .array(z.int())
      .meta({ description: "Messages that fail DMARC, of each day in `days`.", examples: [[0, 0, 7]] }),
  })
  .meta({ id: "DmarcSourceSums", description: "Source of mail, as receivers reported it." });

export const dmarcTotals = {
  days: z
    .array(
      z
        .object({
          day: text("Day in UTC.", "2030-01-02"),
          messages: count("Messages of the day."),
          passed: count("Messages that pass DMARC."),
          failed: count("Messages that fail DMARC."),
          known_messages: count("Messages of known services."),
          known_failed: count("Messages of known services that fail DMARC."),
        })
        .meta({ id: "DmarcDay", description: "Sums of one day." }),
    )
    .meta({ description: "Every day of the range, in order." }),
  total: dmarcSums,
  source_count: count("Number of sources over all pages."),
} as const;
