import { z } from "zod";
import { checkId, domain, gain, noMoment, severity } from "./intel-report-fields.ts";
import { text } from "./text-field.ts";

const fixRecord = z
  .object({
    name: text("Name of the record.", "_dmarc.example.com"),
    type: text("Type of the record.", "TXT"),
    value: text(
      "Complete value. A value of more than 255 octets must be split into several strings.",
      "v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com",
    ),
  })
  .meta({ id: "IntelReportRecord", description: "DNS record to publish unchanged." });

const record = fixRecord
  .nullable()
  .meta({ description: "Record to publish; `null` if no record solves the problem." });

/** Parties that can fix a finding. */
export const responsibles = [
  "dns",
  "mail_servers",
  "addresses",
  "sending",
  "web_server",
  "registration",
  "blacklist",
] as const;
export type Responsible = (typeof responsibles)[number];

export const fix = z
  .object({
    check_id: checkId,
    title: text("Requirement that the domain should meet.", "DMARC asks for quarantine or rejection"),
    ...domain,
    severity,
    gain,
    opens: z.array(z.string()).meta({
      description:
        "Checks that depend on this one and are expected to pass after the fix. `gain` includes them.",
      examples: [["auth.dmarc.policy"]],
    }),
    responsible: z.enum(responsibles).meta({
      description:
        "Party that can apply the fix. `dns`: the editor of the DNS records of the domain; `mail_servers`: the operator of its mail servers; `addresses`: the provider of its sending IP addresses; `sending`: the operator of its sending systems; `web_server`: the operator of the web server for its MTA-STS policy; `registration`: the registrant; `blacklist`: the sender, who asks the blacklist for removal.",
      examples: ["dns"],
    }),
    text: text("Instructions.", "Publish this record in place of the present one."),
    record,
  })
  .meta({ id: "IntelReportFix", description: "Fix and its gain in score." });

export const finding = z
  .object({
    ...domain,
    check_id: checkId,
    category: z
      .enum(["auth", "transport", "infra", "reputation"])
      .meta({ description: "Category of the check.", examples: ["auth"] }),
    title: text("Requirement that the domain should meet.", "DMARC asks for quarantine or rejection"),
    severity,
    status: z.enum(["pass", "warn", "fail", "error", "not_tested"]).meta({
      description:
        "Status of the last check. If it is `error`, the last check had no result, and the finding is that of the check before it.",
      examples: ["fail"],
    }),
    observed: text("Observed state. It may quote text that others have published."),
    expected: text("Expected state."),
    since: noMoment("Time at which the finding was first seen; `null` if unknown."),
    gain,
    reference: text("Source of the requirement.", "RFC 9989 section 4.7"),
    fix: z
      .object({ text: text("Instructions."), record })
      .meta({ id: "IntelReportFindingFix", description: "Fix for a finding." })
      .nullable()
      .meta({ description: "Fix; `null` if none is known." }),
    muted_until: noMoment("Time until which the finding is muted; `null` if it is not muted."),
  })
  .meta({ id: "IntelReportFinding", description: "Requirement that a domain does not meet." });

export const notMeasured = z
  .object({
    ...domain,
    check_id: checkId,
    title: text("Requirement that was to be checked.", "Mail servers offer STARTTLS"),
    status: z.enum(["error", "not_tested"]).meta({
      description: "`error`: the check failed; `not_tested`: no check was made.",
      examples: ["error"],
    }),
    why: text("Reason why there is no result."),
  })
  .meta({ id: "IntelReportNotMeasured", description: "Check that is not part of a score." });
