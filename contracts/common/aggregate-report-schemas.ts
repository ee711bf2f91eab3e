import { z } from "zod";
import { count, moment } from "./intel-fields.ts";
import { text } from "./text-field.ts";

/** Aggregate reports of DMARC (RFC 9990, RFC 7489) and of TLS (RFC 8460) that are about a watched domain. */

const via = text("`mail` or `upload`.", "mail");

export const takenReport = z
  .object({
    kind: text("`dmarc`, `tls`, or `unknown`: it could not be read.", "dmarc"),
    outcome: text("`counted`; `repeated`: it was there already; `refused`.", "counted"),
    reason: text("Why it does not count, in a sentence; empty: it does."),
    org_name: text("Who has received the mail, or sent it with TLS, as the report says.", "example.net"),
    report_id: text("What they call it.", "2030-01-01.example.com"),
    begin: moment("When its period begins; null: it could not be read.").nullable(),
    end: moment("When its period ends; null: it could not be read.").nullable(),
    policy_domains: z
      .array(z.string())
      .meta({ description: "The domains whose policies it is about.", examples: [["example.com"]] }),
    count: count("Messages, in a report of DMARC; sessions, in one of TLS."),
    left_out: count("Rows of it that could not be read."),
    via,
    at: moment("When it came; null: just now.").nullable(),
  })
  .meta({ id: "AggregateReport", description: "An aggregate report, and what became of it." });

export const newReport = z
  .strictObject({
    content: z.string().meta({
      description:
        "The file in base64 (RFC 4648 section 4), with or without line breaks, as it came: XML or JSON, bare or in gzip or zip, or the mail that brought it.",
      contentEncoding: "base64",
      examples: ["PD94bWwgdmVyc2lvbj0iMS4wIj8+PGZlZWRiYWNrPjwvZmVlZGJhY2s+"],
    }),
  })
  .meta({ id: "NewAggregateReport", description: "A file with aggregate reports." });

export const takenReports = z
  .object({
    reports: z.array(takenReport).meta({ description: "One for each report of the file, at least one." }),
  })
  .meta({ id: "TakenReports", description: "What became of the reports of a file." });

const refusal = z
  .object({
    at: moment("When it came."),
    via,
    sender: text("The envelope sender; empty: the null sender, or it was uploaded.", "reports@example.net"),
    reason: text("Why it does not count."),
  })
  .meta({ id: "ReportRefusal", description: "What came, and does not count." });

export const reportAddresses = {
  dmarc_report_address: text(
    "Where reports of DMARC about this domain are to be sent (`rua`): what comes there is its own. null: the installation has no domain for it.",
    "dmarc+k3v9@bounces.example.com",
  ).nullable(),
  tls_report_address: text(
    "The same for reports of TLS (`rua` of `_smtp._tls`).",
    "tls+k3v9@bounces.example.com",
  ).nullable(),
} as const;

export const reportInbox = z
  .object({
    ...reportAddresses,
    dmarc: count("Reports of DMARC that count."),
    tls: count("Reports of TLS that count."),
    repeated: count("Reports that were there already."),
    refused: count("Whatever else came."),
    last_at: moment("When something last came; null: nothing has.").nullable(),
    reports: z.array(takenReport).meta({ description: "The last 50 that count, the latest first." }),
    refusals: z.array(refusal).meta({ description: "The last 50 that do not, the latest first." }),
  })
  .meta({ id: "ReportInbox", description: "What has come of aggregate reports about a domain." });
