import { z } from "zod";
import { moment } from "../dashboard/common.ts";
import { count, coverage, domain, noMoment, optional, score, scoreModel } from "./intel-report-fields.ts";
import { text } from "./text-field.ts";

/** What the lists of a report have entries of. */

const ratio = z
  .object({
    count: count("So many.", 12),
    of: count("Out of so many.", 4_800),
    rate: z
      .number()
      .nullable()
      .meta({ description: "The one by the other, 0 to 1. Null: out of none.", examples: [0.0025] }),
  })
  .meta({ id: "IntelReportRatio", description: "A count with its denominator." });

export const historySeries = z
  .object({
    domain_id: optional("Id of the domain. Null: the mean of all domains.", "dom_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    domain: optional("Its name. Null: the mean of all domains.", "example.com"),
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
          domains: count("Domains that the mean is of; 1 for a domain's own.", 1),
        })
        .meta({ id: "IntelReportPoint", description: "How it stood at the end of a day." }),
    ),
  })
  .meta({
    id: "IntelReportSeries",
    description: "Scores by day, those days only of which something is known.",
  });

export const change = z
  .object({
    at: moment("When it was seen."),
    domain_id: optional(
      "Id of the domain; null: none of the scope's by itself.",
      "dom_01k9z4c3r8h2v6y0n5t7w1x3q9",
    ),
    domain: optional("Its name; null: as above.", "example.com"),
    kind: z
      .enum(["score", "status", "finding_opened", "finding_resolved", "listed", "delisted"])
      .meta({ description: "What has changed.", examples: ["finding_opened"] }),
    text: text("The change in a sentence."),
  })
  .meta({
    id: "IntelReportChange",
    description: "A change. Scores are told where they move by 5 points in a day.",
  });

export const domainEntry = z
  .object({
    id: domain.domain_id,
    name: domain.domain,
    client: z
      .object({
        id: text("Its id.", "cl_01k9z4c3r8h2v6y0n5t7w1x3q9"),
        name: text("Its name.", "Nordwind AG"),
      })
      .meta({ id: "IntelReportClient", description: "A client." })
      .nullable()
      .meta({ description: "Whose domain it is. Null: not known." }),
    role: z
      .enum(["sending", "receiving", "parked"])
      .meta({ description: "What it is for.", examples: ["sending"] }),
    status: z
      .enum(["pending", "healthy", "warning", "critical", "error", "paused"])
      .meta({ description: "How it stands.", examples: ["warning"] }),
    score,
    grade: z
      .enum(["A", "B", "C", "D", "F"])
      .nullable()
      .meta({ description: "Null: too little is measured for one.", examples: ["C"] }),
    coverage,
    score_model: scoreModel,
    score_delta: z
      .number()
      .nullable()
      .meta({
        description:
          "By how many points the score has changed since the beginning of the period. Null: there was none of the same model then.",
        examples: [-3],
      }),
    findings: z
      .object({
        critical: count("Critical ones."),
        warning: count("Warnings."),
        info: count("Those that are good to know."),
      })
      .meta({ id: "IntelReportDomainFindings", description: "Open findings, without those that are muted." }),
    caps: z
      .array(
        z
          .object({
            id: text("Its id.", "no_dmarc"),
            limit: count("The most that the score can be.", 69),
            reason: text("Why, in a sentence."),
          })
          .meta({ id: "IntelReportCap", description: "A fault so grave that it bounds the score." }),
      )
      .meta({ description: "Those that apply, the lowest first, also where the score is lower still." }),
    checked_at: noMoment("When it was looked at last; null: never."),
  })
  .meta({ id: "IntelReportDomain", description: "A domain in a report." });

export const blacklistEntry = z
  .object({
    subject: text("Address or name.", "192.0.2.10"),
    domains: z.array(z.string()).meta({
      description: "Domains of the scope that it matters to, up to 20.",
      examples: [["example.com"]],
    }),
    domains_total: count("Domains of the scope that it matters to.", 1),
    list: z
      .object({
        id: text("Its id.", "spamcop"),
        name: text("Its name.", "SpamCop"),
        weight: count("Points that it has in the score; 0: it only informs.", 5),
      })
      .meta({ id: "IntelReportList", description: "A blacklist." }),
    state: z.enum(["listed", "clean", "refused", "error", "unreliable", "pending"]).meta({
      description:
        "`refused`: the list does not answer this asker; `error`: no answer; `unreliable`: an answer that no list gives; `pending`: not looked up yet, or a listing that waits for its second look.",
      examples: ["listed"],
    }),
    codes: z.array(
      z
        .object({ code: text("As answered.", "127.0.0.2"), meaning: text("What it means.") })
        .meta({ id: "IntelReportListingCode", description: "What the list says of it." }),
    ),
    reason: optional("Why nothing is known; null: it is known."),
    first_seen_at: noMoment("When the listing was seen first; null: it is not listed."),
    last_seen_at: noMoment("When it was seen last; null: it is not listed."),
    checked_at: noMoment("When it was looked up last; null: never."),
    delist_url: text("Where removal is asked for.", "https://www.spamcop.net/bl.shtml"),
    delist_advice: optional("What to know before that; null: nothing."),
  })
  .meta({ id: "IntelReportBlacklistEntry", description: "How an address or a domain stands at a list." });

export const sendingFigures = z
  .object({
    domain_id: optional("Id of the sending domain. Null: all of them.", "dom_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    domain: optional("Its name. Null: all of them.", "example.com"),
    provider: optional("Who has the mailboxes. Null: all providers.", "gmail"),
    sent: count("Messages, one for each recipient, whose outcome is known or awaited.", 4_812),
    delivered: ratio.meta({ description: "Accepted by the receiving server, out of those sent." }),
    bounced: ratio.meta({ description: "Refused for good, out of those sent." }),
    complained: ratio.meta({ description: "Reported as spam, out of those delivered to who reports such." }),
  })
  .meta({ id: "IntelReportSending", description: "What became of own mail within the period." });

export const dmarcSource = z
  .object({
    domain: optional("Domain that the policy is of. Null: all of them.", "example.com"),
    source: optional(
      "Name of the service, or else the range of addresses. Null: all sources.",
      "Amazon SES",
      "192.0.2.0/24",
    ),
    known: z.boolean().meta({ description: "It is a service that is known by a proved domain." }),
    addresses: count("Different addresses."),
    messages: count("Messages that receivers have seen.", 1_240),
    passed: ratio.meta({ description: "Aligned by DKIM or SPF, out of all." }),
    dkim_aligned: ratio.meta({ description: "Aligned by DKIM, out of all." }),
    spf_aligned: ratio.meta({ description: "Aligned by SPF, out of all." }),
    dispositions: z
      .object({
        none: count("Taken as any other mail."),
        quarantine: count("Put aside as spam."),
        reject: count("Refused."),
        other: count("Something that no RFC knows."),
      })
      .meta({ id: "IntelReportDispositions", description: "What was done with them, in messages." }),
    overridden: count("Messages with which the receiver did otherwise than the policy says."),
  })
  .meta({ id: "IntelReportDmarcSource", description: "Who has sent mail in the domain's name." });

export const providerRule = z
  .object({
    ...domain,
    provider: text("Whose rule it is.", "gmail"),
    rule: text("The same for the same rule of several providers.", "spf_and_dkim"),
    requirement: text("What it asks for.", "Mail passes SPF and DKIM."),
    status: z
      .enum(["met", "not_met", "unknown"])
      .meta({ description: "`unknown`: what it depends on is not measured.", examples: ["met"] }),
    evidence: z.array(z.string()).meta({
      description: "Checks and facts of sending that it rests on.",
      examples: [["auth.spf.exists"]],
    }),
    source: text("Where the rule was read.", "https://support.google.com/a/answer/81126"),
    rule_checked_at: z
      .string()
      .meta({ description: "Day on which it was read there.", format: "date", examples: ["2026-11-24"] }),
  })
  .meta({ id: "IntelReportProviderRule", description: "A provider's rule, and whether a domain keeps it." });

export const method = z
  .object({
    score_model: scoreModel,
    weights: z.array(z.string()).meta({ description: "How the score is made, in sentences." }),
    resolver: text("Whom DNS was asked.", "the resolver of this installation, which validates DNSSEC"),
    checked_from: noMoment("The oldest last look at a domain; null: there is none."),
    checked_to: noMoment("The newest last look at a domain; null: there is none."),
    rules_checked_at: z
      .string()
      .nullable()
      .meta({
        description: "Day on which the providers' rules were read; null: none is in the report.",
        format: "date",
        examples: ["2026-11-24"],
      }),
    lists_version: text("Version of the table of blacklists.", "2026-11-24"),
    lists: z.array(
      z
        .object({
          id: text("Its id.", "spamcop"),
          name: text("Its name.", "SpamCop"),
          weight: count("Points that it has in the score; 0: it only informs.", 5),
          not_configured: optional("Why it is not asked; null: it is."),
          subjects: count("Addresses and domains that it was asked about."),
          listed: count("Listed ones."),
          clean: count("Clean ones."),
          unknown: count("Those of which nothing is known."),
        })
        .meta({ id: "IntelReportMethodList", description: "A blacklist, and what it said in all." }),
    ),
  })
  .meta({ id: "IntelReportMethod", description: "How it was measured." });
