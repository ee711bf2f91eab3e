import { z } from "zod";
import { moment } from "../dashboard/common.ts";
import { finding, fix, notMeasured } from "./intel-report-findings.ts";
import {
  blacklistEntry,
  change,
  dmarcSource,
  domainEntry,
  historySeries,
  method,
  providerRule,
  sendingFigures,
} from "./intel-report-sections.ts";
import { type ReportSection, reportSections } from "./report-section-names.ts";

const count = (description: string) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [3] });

/** Null where the section is not asked for. */
const section = <Entry extends z.ZodType>(entry: Entry, description: string) =>
  z
    .array(entry)
    .nullable()
    .meta({ description: `${description} Null: the section was not asked for.` });

const scope = z
  .object({
    type: z
      .enum(["workspace", "client", "domain"])
      .meta({ description: "What the report is about.", examples: ["client"] }),
    id: z.string().meta({ description: "Its id.", examples: ["cl_01k9z4c3r8h2v6y0n5t7w1x3q9"] }),
    name: z.string().meta({ description: "Its name when the report was made.", examples: ["Nordwind AG"] }),
  })
  .meta({ id: "IntelReportScope", description: "Whose domains the report is about." });

const period = z
  .object({
    from: moment("Its beginning, which belongs to it.", "2026-10-24T00:00:00.000Z"),
    to: moment("Its end, which does not.", "2025-11-23T00:00:00.000Z"),
  })
  .meta({
    id: "IntelReportPeriod",
    description: "The time that history, changes, sending and DMARC are about; all else is as of its end.",
  });

const branding = z
  .object({
    name: z
      .string()
      .nullable()
      .meta({ description: "Who hands out the report; null: nobody is named.", examples: ["Muster Mail"] }),
    color: z
      .string()
      .nullable()
      .meta({
        description: "The colour of documents, as `#rrggbb`; null: their own.",
        examples: ["#0b5394"],
      }),
  })
  .meta({ id: "IntelReportBranding", description: "Whose report it looks like." });

const severityCounts = z
  .object({
    critical: count("Mail is lost or refused, or others can send in the domain's name."),
    warning: count("It costs trust, or will become critical."),
    info: count("It is good to know."),
  })
  .meta({ id: "IntelReportSeverityCounts", description: "Open findings, without those that are muted." });

const statusCounts = z
  .object({
    healthy: count("No finding is a warning or worse."),
    warning: count("A finding is a warning."),
    critical: count("A finding is critical."),
    error: count("More than 30 % of what counts cannot be measured."),
    pending: count("Nothing was measured yet."),
    paused: count("Their owner wants them to be left alone."),
  })
  .meta({ id: "IntelReportStatusCounts", description: "Domains by how they stand." });

const summary = z
  .object({
    domains: count("Domains of the scope."),
    domains_by_status: statusCounts,
    score: z
      .number()
      .nullable()
      .meta({
        description:
          "Mean of the domains' scores, 0 to 100, to one decimal; of one domain its score. Null: none has one.",
        examples: [71.5],
      }),
    domains_scored: count("Domains that the mean is of."),
    grade: z
      .enum(["A", "B", "C", "D", "F"])
      .nullable()
      .meta({
        description: "Of a single domain; null: there are several, or too little is measured for a grade.",
        examples: ["C"],
      }),
    coverage: z
      .number()
      .nullable()
      .meta({
        description: "Mean share of what could be measured that was, 0 to 1. Null: there is no domain.",
        examples: [0.93],
      }),
    score_delta: z
      .number()
      .nullable()
      .meta({
        description:
          "By how many points the score has changed since the beginning of the period: the mean over the domains that had a score of the same model then. Null: none had.",
        examples: [4.5],
      }),
    listings_open: count("Open listings of addresses and domains at blacklists."),
    findings: severityCounts,
  })
  .meta({ id: "IntelReportSummary", description: "The report in a few numbers." });

const leftOut = z
  .object(
    Object.fromEntries(reportSections.map((name) => [name, count(`Entries of \`${name}\`.`)])) as Record<
      ReportSection,
      ReturnType<typeof count>
    >,
  )
  .meta({
    id: "IntelReportLeftOut",
    description:
      "How many entries of each list were left out because there were too many; what is left out comes last in its order.",
  });

/** The answer while the job of a report goes on. */
export const reportProgress = z
  .object({
    id: z.string().meta({ description: "Id of the report.", examples: ["rpt_01k9z4c3r8h2v6y0n5t7w1x3q9"] }),
    state: z.string().meta({
      description: "`queued` or `running`; later versions may know more.",
      examples: ["running"],
    }),
    progress: z
      .object({
        done: z.int().meta({ description: "Steps that are done.", examples: [1] }),
        total: z.int().meta({ description: "Steps of the job.", examples: [2] }),
      })
      .meta({
        id: "ReportSteps",
        description: "Steps of the job: gathering the facts, and writing the document.",
      }),
    created_at: moment("Time at which the job was created."),
    url: z.string().meta({
      description: "Path of the report: it answers 202 until the report is ready.",
      examples: ["/api/deliverability/v1/reports/rpt_01k9z4c3r8h2v6y0n5t7w1x3q9"],
    }),
  })
  .meta({ id: "ReportProgress", description: "A report that is not ready." });

export const intelReport = z
  .object({
    id: z.string().meta({ description: "Its id.", examples: ["rpt_01k9z4c3r8h2v6y0n5t7w1x3q9"] }),
    schema_version: z
      .literal("1")
      .meta({ description: "It changes when fields change their meaning or go.", examples: ["1"] }),
    generated_at: moment("When it was made."),
    scope,
    period,
    timezone: z.string().meta({
      description: "IANA name of the time zone that days are of and that documents show times in.",
      examples: ["Europe/Berlin"],
    }),
    locale: z.string().meta({
      description:
        "BCP 47 tag of the form in which documents write numbers and dates: `en`, or `en` and a region.",
      examples: ["en-GB"],
    }),
    branding,
    inputs_hash: z.string().meta({
      description:
        "SHA-256, in hexadecimal digits, of all that the report was made from but its id and time: two reports with the same one say the same of the same facts.",
      examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    }),
    sections: z
      .array(z.enum(reportSections))
      .meta({ description: "The sections that are in it.", examples: [["changes", "findings", "fixes"]] }),
    summary,
    top_fixes: z.array(fix).meta({
      description: "The three repairs that are worth most, as in `fixes`; muted findings are not in it.",
    }),
    history: section(
      historySeries,
      "Scores by day: first the mean of all domains, then each domain; the worst first, up to 100.",
    ),
    changes: section(change, "What has changed within the period, the latest first, up to 1,000."),
    domains: section(domainEntry, "The domains, the lowest score first, up to 2,000."),
    blacklists: section(
      blacklistEntry,
      "Addresses and domains at blacklists: listed ones first, then those of which nothing is known, then clean ones, up to 2,000.",
    ),
    provider_rules: section(
      providerRule,
      "What large providers ask of those who send to them, for each sending domain, up to 10,000.",
    ),
    sending: section(
      sendingFigures,
      "Own sending: all of it, then by provider, then by domain and provider, up to 2,000.",
    ),
    dmarc: section(
      dmarcSource,
      "What receivers report of mail in the domains' names: all of it, then by domain and source, most messages first, up to 2,000.",
    ),
    findings: section(
      finding,
      "Open findings: what is worth most first, as in `fixes`, then by severity; up to 5,000.",
    ),
    fixes: section(
      fix,
      "Repairs: the largest gain first, then by severity and domain, up to 2,000. Findings without a known repair are not in it.",
    ),
    not_measured: section(
      notMeasured,
      "What is not in the scores, and why, by domain and check, up to 5,000.",
    ),
    method: method
      .nullable()
      .meta({ description: "How it was measured. Null: the section was not asked for." }),
    left_out: leftOut,
  })
  .meta({
    id: "IntelReport",
    description: "How mail of some domains stands. It never changes: made anew, it is another report.",
  });

export type IntelReport = z.infer<typeof intelReport>;
