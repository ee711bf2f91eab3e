import { z } from "zod";
import { moment } from "../dashboard/common.ts";
import { count, coverage, domain, noMoment, optional, score, scoreModel } from "./intel-report-fields.ts";
import { text } from "./text-field.ts";

/** Entries of the lists in a report. */

const ratio = z
  .object({
    count: count("Numerator.", 12),
    of: count("Denominator.", 4_800),
    rate: z
      .number()
      .nullable()
      .meta({
        description: "Ratio of `count` to `of`, from 0 to 1; `null` if `of` is 0.",
        examples: [0.0025],
      }),
  })
  .meta({ id: "IntelReportRatio", description: "Ratio with its numerator and denominator." });

export const historySeries = z
  .object({
    domain_id: optional(
      "Id of the domain; `null` for the mean of all domains.",
      "dom_01k9z4c3r8h2v6y0n5t7w1x3q9",
    ),
    domain: optional("Name of the domain; `null` for the mean of all domains.", "example.com"),
    points: z.array(
      z
        .object({
          date: z.string().meta({
            description: "Day in the report's time zone.",
            format: "date",
            examples: ["2026-11-22"],
          }),
          score,
          coverage,
          score_model: scoreModel,
          domains: count("Number of domains in the mean; 1 in the series of a domain.", 1),
        })
        .meta({ id: "IntelReportPoint", description: "State at the end of a day." }),
    ),
  })
  .meta({
    id: "IntelReportSeries",
    description: "Scores by day. Days without data are omitted.",
  });

export const change = z
  .object({
    at: moment("Time at which the change was seen."),
    domain_id: optional(
      "Id of the domain; `null` if the change concerns no single domain of the scope.",
      "dom_01k9z4c3r8h2v6y0n5t7w1x3q9",
    ),
    domain: optional("Name of the domain; `null` if `domain_id` is `null`.", "example.com"),
    kind: z
      .enum(["score", "status", "finding_opened", "finding_resolved", "listed", "delisted"])
      .meta({ description: "Kind of the change.", examples: ["finding_opened"] }),
    text: text("Change in one sentence."),
  })
  .meta({
    id: "IntelReportChange",
    description: "Change. Score changes are included if the score moves by 5 points in a day.",
  });

export const domainEntry = z
  .object({
    id: domain.domain_id,
    name: domain.domain,
    client: z
      .object({
        id: text("Id of the client.", "cl_01k9z4c3r8h2v6y0n5t7w1x3q9"),
        name: text("Name of the client.", "Nordwind AG"),
      })
      .meta({ id: "IntelReportClient", description: "Client." })
      .nullable()
      .meta({ description: "Client that owns the domain; `null` if unknown." }),
    role: z
      .enum(["sending", "receiving", "parked"])
      .meta({ description: "Role of the domain.", examples: ["sending"] }),
    status: z
      .enum(["pending", "healthy", "warning", "critical", "error", "paused"])
      .meta({ description: "Status of the domain.", examples: ["warning"] }),
    score,
    grade: z
      .enum(["A", "B", "C", "D", "F"])
      .nullable()
      .meta({ description: "Grade; `null` if too little was measured for a grade.", examples: ["C"] }),
    coverage,
    score_model: scoreModel,
    score_delta: z
      .number()
      .nullable()
      .meta({
        description:
          "Change of the score since the beginning of the period, in points; `null` if there was no score of the same model then.",
        examples: [-3],
      }),
    findings: z
      .object({
        critical: count("Number of critical findings."),
        warning: count("Number of warnings."),
        info: count("Number of informational findings."),
      })
      .meta({
        id: "IntelReportDomainFindings",
        description: "Numbers of open findings, without muted ones.",
      }),
    caps: z
      .array(
        z
          .object({
            id: text("Id of the cap.", "no_dmarc"),
            limit: count("Maximum score.", 69),
            reason: text("Reason in one sentence."),
          })
          .meta({ id: "IntelReportCap", description: "Limit of the score because of a serious problem." }),
      )
      .meta({ description: "Caps that apply, lowest first. They are listed even if the score is lower." }),
    checked_at: noMoment("Time of the last check; `null` if there was none."),
  })
  .meta({ id: "IntelReportDomain", description: "Domain in a report." });

export const blacklistEntry = z
  .object({
    subject: text("IP address or domain name.", "192.0.2.10"),
    domains: z.array(z.string()).meta({
      description: "Domains of the scope that the entry concerns, up to 20.",
      examples: [["example.com"]],
    }),
    domains_total: count("Number of domains of the scope that the entry concerns.", 1),
    list: z
      .object({
        id: text("Id of the blacklist.", "spamcop"),
        name: text("Name of the blacklist.", "SpamCop"),
        weight: count("Points of the blacklist in the score; 0 if it only informs.", 5),
      })
      .meta({ id: "IntelReportList", description: "Blacklist." }),
    state: z.enum(["listed", "clean", "refused", "error", "unreliable", "pending"]).meta({
      description:
        "State: `listed`; `clean`; `refused`: the blacklist does not answer queries from this installation; `error`: no answer; `unreliable`: the answers of the blacklist are not reliable; `pending`: not checked yet, or a listing that waits for its confirmation check.",
      examples: ["listed"],
    }),
    codes: z.array(
      z
        .object({ code: text("Code in the answer.", "127.0.0.2"), meaning: text("Meaning of the code.") })
        .meta({ id: "IntelReportListingCode", description: "Return code of the blacklist." }),
    ),
    reason: optional("Reason why the status is unknown; `null` if it is known."),
    first_seen_at: noMoment("Time at which the listing was first seen; `null` if there is none."),
    last_seen_at: noMoment("Time at which the listing was last seen; `null` if there is none."),
    checked_at: noMoment("Time of the last check; `null` if there was none."),
    delist_url: text("URL for removal requests.", "https://www.spamcop.net/bl.shtml"),
    delist_advice: optional("Advice for the removal request; `null` if there is none."),
  })
  .meta({ id: "IntelReportBlacklistEntry", description: "Status of an address or domain at a blacklist." });

export const sendingFigures = z
  .object({
    domain_id: optional(
      "Id of the sending domain; `null` for all domains.",
      "dom_01k9z4c3r8h2v6y0n5t7w1x3q9",
    ),
    domain: optional("Name of the sending domain; `null` for all domains.", "example.com"),
    provider: optional("Mailbox provider of the recipients; `null` for all providers.", "gmail"),
    sent: count("Number of messages with a known or pending result, one per recipient.", 4_812),
    delivered: ratio.meta({ description: "Share of sent messages that the receiving server accepted." }),
    bounced: ratio.meta({ description: "Share of sent messages that were rejected permanently." }),
    complained: ratio.meta({
      description:
        "Share of messages reported as spam, among those delivered to providers that send such reports.",
    }),
  })
  .meta({ id: "IntelReportSending", description: "Results of mail sent by Hermod within the period." });

export const dmarcSource = z
  .object({
    domain: optional("Domain of the DMARC policy; `null` for all domains.", "example.com"),
    source: optional(
      "Name of the sending service, or its address range if the service is unknown; `null` for all sources.",
      "Amazon SES",
      "192.0.2.0/24",
    ),
    known: z
      .boolean()
      .meta({ description: "`true` if the source is a service identified by an authenticated domain." }),
    addresses: count("Number of distinct addresses."),
    messages: count("Number of messages that receivers reported.", 1_240),
    passed: ratio.meta({ description: "Share of messages aligned by DKIM or SPF." }),
    dkim_aligned: ratio.meta({ description: "Share of messages aligned by DKIM." }),
    spf_aligned: ratio.meta({ description: "Share of messages aligned by SPF." }),
    dispositions: z
      .object({
        none: count("Messages accepted like other mail."),
        quarantine: count("Messages put into quarantine as spam."),
        reject: count("Rejected messages."),
        other: count("Messages with a disposition that no RFC defines."),
      })
      .meta({ id: "IntelReportDispositions", description: "Number of messages by disposition." }),
    overridden: count("Number of messages that the receiver handled differently from the policy."),
  })
  .meta({ id: "IntelReportDmarcSource", description: "Source of mail in the name of a domain." });

export const providerRule = z
  .object({
    ...domain,
    provider: text("Provider that sets the rule.", "gmail"),
    rule: text("Id of the rule. Providers with the same rule share the id.", "spf_and_dkim"),
    requirement: text("Requirement.", "Mail passes SPF and DKIM."),
    status: z.enum(["met", "not_met", "unknown"]).meta({
      description: "`met`, `not_met`, or `unknown` if its evidence was not measured.",
      examples: ["met"],
    }),
    evidence: z.array(z.string()).meta({
      description: "Checks and sending data that the status is based on.",
      examples: [["auth.spf.exists"]],
    }),
    source: text("Source of the rule.", "https://support.google.com/a/answer/81126"),
    rule_checked_at: z.string().meta({
      description: "Day on which the rule was last compared with its source.",
      format: "date",
      examples: ["2026-11-24"],
    }),
  })
  .meta({
    id: "IntelReportProviderRule",
    description: "Rule of a mailbox provider, and whether a domain meets it.",
  });

export const method = z
  .object({
    score_model: scoreModel,
    weights: z.array(z.string()).meta({ description: "Description of the score, in sentences." }),
    resolver: text(
      "Resolver used for DNS queries.",
      "the resolver of this installation, which validates DNSSEC",
    ),
    checked_from: noMoment("Oldest time of the last check among the domains; `null` if there is none."),
    checked_to: noMoment("Newest time of the last check among the domains; `null` if there is none."),
    rules_checked_at: z
      .string()
      .nullable()
      .meta({
        description:
          "Earliest day on which one of the provider rules was last compared with its source; `null` if the report has no rules.",
        format: "date",
        examples: ["2026-11-24"],
      }),
    lists_version: text("Version of the table of blacklists.", "2026-11-24"),
    lists: z.array(
      z
        .object({
          id: text("Id of the blacklist.", "spamcop"),
          name: text("Name of the blacklist.", "SpamCop"),
          weight: count("Points of the blacklist in the score; 0 if it only informs.", 5),
          not_configured: optional("Reason why the blacklist is not used; `null` if it is used."),
          subjects: count("Number of addresses and domains that were checked."),
          listed: count("Number of listed subjects."),
          clean: count("Number of clean subjects."),
          unknown: count("Number of subjects with an unknown status."),
        })
        .meta({ id: "IntelReportMethodList", description: "Blacklist and the totals of its results." }),
    ),
  })
  .meta({ id: "IntelReportMethod", description: "Method of measurement." });
