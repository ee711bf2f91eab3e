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

/** Null if the section was not requested. */
const section = <Entry extends z.ZodType>(entry: Entry, description: string) =>
  z
    .array(entry)
    .nullable()
    .meta({ description: `${description} \`null\` if the section was not requested.` });

const scope = z
  .object({
    type: z
      .enum(["workspace", "client", "domain"])
      .meta({ description: "Type of the subject of the report.", examples: ["client"] }),
    id: z.string().meta({ description: "Id of the subject.", examples: ["cl_01k9z4c3r8h2v6y0n5t7w1x3q9"] }),
    name: z
      .string()
      .meta({ description: "Name of the subject when the report was generated.", examples: ["Nordwind AG"] }),
  })
  .meta({ id: "IntelReportScope", description: "Subject of the report. The report covers its domains." });

const period = z
  .object({
    from: moment("Beginning of the period, inclusive.", "2026-10-24T00:00:00.000Z"),
    to: moment("End of the period, exclusive.", "2025-11-23T00:00:00.000Z"),
  })
  .meta({
    id: "IntelReportPeriod",
    description:
      "Period for history, changes, sending and DMARC. All other sections show the state at its end.",
  });

const branding = z
  .object({
    name: z
      .string()
      .nullable()
      .meta({
        description: "Name of the issuer of the report; `null` if none is given.",
        examples: ["Muster Mail"],
      }),
    color: z
      .string()
      .nullable()
      .meta({
        description: "Color of documents, as `#rrggbb`; `null` for the default color.",
        examples: ["#0b5394"],
      }),
  })
  .meta({ id: "IntelReportBranding", description: "Branding of the report." });

const severityCounts = z
  .object({
    critical: count(
      "Number of critical findings: mail is lost or rejected, or others can send in the name of the domain.",
    ),
    warning: count("Number of warnings: the problem reduces trust, or will become critical."),
    info: count("Number of informational findings."),
  })
  .meta({ id: "IntelReportSeverityCounts", description: "Numbers of open findings, without muted ones." });

const statusCounts = z
  .object({
    healthy: count("Number of domains without a warning or critical finding."),
    warning: count("Number of domains with a warning, but no critical finding."),
    critical: count("Number of domains with a critical finding."),
    error: count(
      "Number of domains for which more than 30 % of the weight of all checks cannot be measured.",
    ),
    pending: count("Number of domains without any measurement yet."),
    paused: count("Number of paused domains."),
  })
  .meta({ id: "IntelReportStatusCounts", description: "Number of domains by status." });

const summary = z
  .object({
    domains: count("Number of domains in the scope."),
    domains_by_status: statusCounts,
    score: z
      .number()
      .nullable()
      .meta({
        description:
          "Mean score of the domains, from 0 to 100, to one decimal. For one domain it is the score of the domain. `null` if no domain has a score.",
        examples: [71.5],
      }),
    domains_scored: count("Number of domains in the mean."),
    grade: z
      .enum(["A", "B", "C", "D", "F"])
      .nullable()
      .meta({
        description:
          "Grade of a single domain; `null` if the scope has several domains, or if too little was measured for a grade.",
        examples: ["C"],
      }),
    coverage: z
      .number()
      .nullable()
      .meta({
        description: "Mean coverage of the domains, from 0 to 1; `null` if there is no domain.",
        examples: [0.93],
      }),
    score_delta: z
      .number()
      .nullable()
      .meta({
        description:
          "Change of the score since the beginning of the period, in points. It is the mean over the domains that had a score of the same model then; `null` if none had.",
        examples: [4.5],
      }),
    listings_open: count("Number of open blacklist listings of addresses and domains."),
    findings: severityCounts,
  })
  .meta({ id: "IntelReportSummary", description: "Key figures of the report." });

const leftOut = z
  .object(
    Object.fromEntries(
      reportSections.map((name) => [name, count(`Number of omitted entries of \`${name}\`.`)]),
    ) as Record<ReportSection, ReturnType<typeof count>>,
  )
  .meta({
    id: "IntelReportLeftOut",
    description:
      "Number of entries omitted from each list because it has a limit. The omitted entries are the last ones in the order of the list.",
  });

/** Response while the job of a report is running. */
export const reportProgress = z
  .object({
    id: z.string().meta({ description: "Id of the report.", examples: ["rpt_01k9z4c3r8h2v6y0n5t7w1x3q9"] }),
    state: z.string().meta({
      description: "State of the job: `queued` or `running`. Later versions may add values.",
      examples: ["running"],
    }),
    progress: z
      .object({
        done: z.int().meta({ description: "Number of finished steps.", examples: [1] }),
        total: z.int().meta({ description: "Number of steps of the job.", examples: [2] }),
      })
      .meta({
        id: "ReportSteps",
        description: "Progress of the job. Its steps are: collect the data, write the document.",
      }),
    created_at: moment("Time at which the job was created."),
    url: z.string().meta({
      description: "Path of the report. It answers 202 until the report is ready.",
      examples: ["/api/deliverability/v1/reports/rpt_01k9z4c3r8h2v6y0n5t7w1x3q9"],
    }),
  })
  .meta({ id: "ReportProgress", description: "Report that is not ready yet." });

export const intelReport = z
  .object({
    id: z.string().meta({ description: "Id of the report.", examples: ["rpt_01k9z4c3r8h2v6y0n5t7w1x3q9"] }),
    schema_version: z.literal("1").meta({
      description: "Version of the schema. It changes when a field is removed or changes its meaning.",
      examples: ["1"],
    }),
    generated_at: moment("Time at which the report was generated."),
    scope,
    period,
    timezone: z.string().meta({
      description: "IANA name of the time zone of days, and of times in documents.",
      examples: ["Europe/Berlin"],
    }),
    locale: z.string().meta({
      description: "BCP 47 tag of the locale for numbers and dates in documents: `en`, or `en` and a region.",
      examples: ["en-GB"],
    }),
    branding,
    inputs_hash: z.string().meta({
      description:
        "SHA-256, in hexadecimal digits, of all inputs of the report except its id and time. Two reports with the same hash have the same contents, except for their id and time.",
      examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    }),
    sections: z
      .array(z.enum(reportSections))
      .meta({ description: "Sections of the report.", examples: [["changes", "findings", "fixes"]] }),
    summary,
    top_fixes: z.array(fix).meta({
      description:
        "Three fixes with the largest gain, in the order of `fixes`. Muted findings are not included.",
    }),
    history: section(
      historySeries,
      "Scores by day: first the mean of all domains, then up to 100 domains, lowest score first.",
    ),
    changes: section(change, "Changes within the period, newest first, up to 1,000."),
    domains: section(domainEntry, "Domains, lowest score first, up to 2,000."),
    blacklists: section(
      blacklistEntry,
      "Addresses and domains at blacklists: first listed ones, then those with an unknown status, then clean ones, up to 2,000.",
    ),
    provider_rules: section(
      providerRule,
      "Requirements of large mailbox providers for senders, for each sending domain, up to 10,000.",
    ),
    sending: section(
      sendingFigures,
      "Mail sent by Hermod: total, then by provider, then by domain and provider, up to 2,000.",
    ),
    dmarc: section(
      dmarcSource,
      "DMARC reports of receivers about mail in the names of the domains: total, then by domain and source, most messages first, up to 2,000.",
    ),
    findings: section(
      finding,
      "Open findings, largest gain first as in `fixes`, then by severity, up to 5,000.",
    ),
    fixes: section(
      fix,
      "Fixes, largest gain first, then by severity and domain, up to 2,000. Findings without a known fix are not included.",
    ),
    not_measured: section(
      notMeasured,
      "Checks that are not part of the scores, with the reason, by domain and check, up to 5,000.",
    ),
    method: method
      .nullable()
      .meta({ description: "Method of measurement. `null` if the section was not requested." }),
    left_out: leftOut,
  })
  .meta({
    id: "IntelReport",
    description:
      "Report about the deliverability of domains. A report never changes. Generating it again creates another report.",
  });

export type IntelReport = z.infer<typeof intelReport>;
