import { z } from "zod";
import { count, moment } from "./intel-fields.ts";
import { text } from "./text-field.ts";

/** Aggregate reports of DMARC (RFC 9990, RFC 7489) and TLS (RFC 8460) about a watched domain. */

const via = text("Route of the report: `mail` or `upload`.", "mail");

export const takenReport = z
  .object({
    kind: text("Kind of the report: `dmarc`, `tls`, or `unknown` if it could not be read.", "dmarc"),
    outcome: text(
      "`counted`: the report counts; `repeated`: Hermod already had it; `refused`: it was rejected.",
      "counted",
    ),
    reason: text("Reason why the report does not count, in a sentence. Empty if it counts."),
    org_name: text(
      "Organization that wrote the report: it received the mail, or sent it with TLS.",
      "example.net",
    ),
    report_id: text("Id of the report, given by the organization.", "2030-01-01.example.com"),
    begin: moment("Beginning of the period; `null` if it could not be read.").nullable(),
    end: moment("End of the period; `null` if it could not be read.").nullable(),
    policy_domains: z.array(z.string()).meta({
      description: "Domains with the policies that the report covers.",
      examples: [["example.com"]],
    }),
    count: count("Number of messages in a DMARC report, or of sessions in a TLS report."),
    left_out: count("Number of rows that could not be read."),
    via,
    at: moment("Time of arrival; `null` if the report arrived with this request.").nullable(),
  })
  .meta({ id: "AggregateReport", description: "Aggregate report and the result of reading it." });

export const newReport = z
  .strictObject({
    content: z.string().meta({
      description:
        "The original file in base64 (RFC 4648 section 4), with or without line breaks: XML or JSON, plain or compressed as gzip or zip, or the e-mail that contained it.",
      contentEncoding: "base64",
      examples: ["PD94bWwgdmVyc2lvbj0iMS4wIj8+PGZlZWRiYWNrPjwvZmVlZGJhY2s+"],
    }),
  })
  .meta({ id: "NewAggregateReport", description: "File with aggregate reports." });

export const takenReports = z
  .object({
    reports: z
      .array(takenReport)
      .meta({ description: "One entry for each report in the file, at least one." }),
  })
  .meta({ id: "TakenReports", description: "Results for the reports in a file." });

const refusal = z
  .object({
    at: moment("Time of arrival."),
    via,
    sender: text("Envelope sender. Empty for the null sender and for uploads.", "reports@example.net"),
    reason: text("Reason why it does not count."),
  })
  .meta({ id: "ReportRefusal", description: "Received file or report that does not count." });

export const reportAddresses = {
  dmarc_report_address: text(
    "Address for DMARC reports about this domain, to be published in `rua`. Reports that arrive there count for this domain. `null` if the installation has no domain for report addresses.",
    "dmarc+k3v9@bounces.example.com",
  ).nullable(),
  tls_report_address: text(
    "Address for TLS reports about this domain, to be published in `rua` of `_smtp._tls`. `null` if the installation has no domain for report addresses.",
    "tls+k3v9@bounces.example.com",
  ).nullable(),
} as const;

export const reportInbox = z
  .object({
    ...reportAddresses,
    dmarc: count("Number of DMARC reports that count."),
    tls: count("Number of TLS reports that count."),
    repeated: count("Number of reports that Hermod already had."),
    refused: count("Number of other files and reports received. They do not count."),
    last_at: moment("Time of the last arrival; `null` if nothing arrived.").nullable(),
    reports: z.array(takenReport).meta({ description: "Last 50 reports that count, newest first." }),
    refusals: z.array(refusal).meta({ description: "Last 50 that do not count, newest first." }),
  })
  .meta({ id: "ReportInbox", description: "Aggregate reports received about a domain." });
