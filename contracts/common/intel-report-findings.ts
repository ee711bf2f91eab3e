import { z } from "zod";
import { checkId, domain, gain, noMoment, severity } from "./intel-report-fields.ts";
import { text } from "./text-field.ts";

const fixRecord = z
  .object({
    name: text("Where it stands.", "_dmarc.example.com"),
    type: text("Its type.", "TXT"),
    value: text(
      "Its whole value; what is longer than 255 octets has to be split into strings.",
      "v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com",
    ),
  })
  .meta({ id: "IntelReportRecord", description: "A DNS record to publish as it stands." });

const record = fixRecord.nullable().meta({ description: "What to publish. Null: no record helps." });

/** The party that can repair it. */
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
    title: text("What ought to be so.", "DMARC asks for quarantine or rejection"),
    ...domain,
    severity,
    gain,
    opens: z.array(z.string()).meta({
      description: "Checks that need this one, and are expected to pass with it; the gain has them in it.",
      examples: [["auth.dmarc.policy"]],
    }),
    responsible: z.enum(responsibles).meta({
      description:
        "Who can do it. `dns`: who edits the domain's DNS records; `mail_servers`: who runs its mail servers; `addresses`: the provider of the addresses that it sends from; `sending`: who runs what sends its mail; `web_server`: who runs the web server of its MTA-STS policy; `registration`: who holds its registration; `blacklist`: who sends its mail asks the list for removal.",
      examples: ["dns"],
    }),
    text: text("What to do.", "Publish this record in place of the present one."),
    record,
  })
  .meta({ id: "IntelReportFix", description: "A repair, and what it is worth." });

export const finding = z
  .object({
    ...domain,
    check_id: checkId,
    category: z
      .enum(["auth", "transport", "infra", "reputation"])
      .meta({ description: "What it is about.", examples: ["auth"] }),
    title: text("What ought to be so.", "DMARC asks for quarantine or rejection"),
    severity,
    status: z.enum(["pass", "warn", "fail", "error", "not_tested"]).meta({
      description:
        "What the last look has said; `error`: it told nothing, and the finding is of the one before.",
      examples: ["fail"],
    }),
    observed: text("What was found; it may quote what others have published."),
    expected: text("What ought to be there."),
    since: noMoment("When it was seen first; null: not known."),
    gain,
    reference: text("Where it is written.", "RFC 9989 section 4.7"),
    fix: z
      .object({ text: text("What to do."), record })
      .meta({ id: "IntelReportFindingFix", description: "A repair." })
      .nullable()
      .meta({ description: "How it is repaired. Null: that is not known." }),
    muted_until: noMoment("Until when its owner does not want to hear of it; null: it is not muted."),
  })
  .meta({ id: "IntelReportFinding", description: "Something that is not as it ought to be." });

export const notMeasured = z
  .object({
    ...domain,
    check_id: checkId,
    title: text("What ought to be so.", "Mail servers offer STARTTLS"),
    status: z
      .enum(["error", "not_tested"])
      .meta({ description: "`error`: it was tried, and told nothing.", examples: ["error"] }),
    why: text("Why it is not known."),
  })
  .meta({ id: "IntelReportNotMeasured", description: "What a score does not have in it." });
