import {
  type GetReportInboxResponse,
  GetReportInboxResponseSchema,
  type TakenReport,
  UploadReportResponseSchema,
} from "../../gen/hermod/watch/v1/watch_service_pb.ts";
import { findWatchedDomain, type InWorkspace, WORKSPACE } from "./input/find-watched.ts";
import { readBytes } from "./input/read-text.ts";
import type { Paint } from "./output/paint.ts";
import { alignRows, table } from "./output/table.ts";
import { plainTime, printable } from "./output/text.ts";
import { showCommand } from "./show-command.ts";

/** `hermod intel domain upload` */
const domainUpload = showCommand({
  name: "upload",
  description: "Upload a file with DMARC or TLS aggregate reports. Each report counts once.",
  arguments: [
    ["<domain>", "name or id of the domain"],
    ["<file>", "XML or JSON, plain, gzip or zip, or the mail with the report; - for standard input"],
  ],
  options: [WORKSPACE],
  call: async (context, { workspace }: InWorkspace) => {
    const { core, account, args, environment } = context;
    const [name = "", file = "-"] = args;
    const content = await readBytes(file, environment.input);
    const { id } = await findWatchedDomain(context, name, workspace);
    return { uploaded: await core.watches.uploadReport({ accountId: account, id, content }) };
  },
  of: "uploaded",
  schema: UploadReportResponseSchema,
  text: ({ reports }, { paint }) => reportTable(paint, reports, "OUTCOME", "The file has no report."),
});

/** `hermod intel domain reports` */
const domainReports = showCommand({
  name: "reports",
  description: "Show the aggregate reports received for a domain, and the ones that do not count.",
  arguments: [["<domain>", "name or id of the domain"]],
  options: [WORKSPACE],
  call: async (context, { workspace }: InWorkspace) => {
    const { core, account, args } = context;
    const { id } = await findWatchedDomain(context, args[0] ?? "", workspace);
    return { inbox: await core.watches.getReportInbox({ accountId: account, id }) };
  },
  of: "inbox",
  schema: GetReportInboxResponseSchema,
  text: (inbox, { paint }) => describeInbox(paint, inbox),
});

/** Commands of `hermod intel domain` about aggregate reports of DMARC and of TLS. */
export const aggregateReports = [domainUpload, domainReports];

function describeInbox(paint: Paint, inbox: GetReportInboxResponse): string {
  const { dmarc, tls, repeated, refused, reports, refusals } = inbox;
  const facts = [
    ["DMARC reports to", inbox.dmarcReportAddress ?? "nowhere: the installation has no bounce domain"],
    ["TLS reports to", inbox.tlsReportAddress ?? "nowhere: the installation has no bounce domain"],
    ["Counted", `${dmarc} DMARC, ${tls} TLS`],
    ["Not counted", `${repeated} duplicates, ${refused} refused`],
    ["Last", plainTime(inbox.lastAt) || "none yet"],
  ];
  const refusalRows = refusals.map(({ at, via, sender, reason }) => [
    ...[plainTime(at), via, printable(sender) || "-"],
    printable(reason),
  ]);
  return [
    ...alignRows(facts.map(([fact = "", value = ""]) => [paint("dim", fact), printable(value)])),
    ...(reports.length > 0 ? ["", reportTable(paint, reports, "VIA", "")] : []),
    ...(refusals.length > 0 ? ["", table(paint, ["AT", "VIA", "FROM", "REASON"], refusalRows, "")] : []),
  ].join("\n");
}

/** @param column column that is not part of the report itself */
function reportTable(
  paint: Paint,
  reports: readonly TakenReport[],
  column: "OUTCOME" | "VIA",
  none: string,
): string {
  const rows = reports.map((report) => [
    ...[report.kind, column === "VIA" ? report.via : report.outcome, printable(report.orgName) || "-"],
    ...[plainTime(report.begin) || "-", plainTime(report.end) || "-", String(report.count)],
    printable(report.reason || noteOf(report)),
  ]);
  return table(paint, ["KIND", column, "FROM", "BEGINS", "ENDS", "COUNT", "NOTE"], rows, none);
}

function noteOf({ leftOut }: TakenReport): string {
  return leftOut === 0 ? "" : `${leftOut} unreadable rows`;
}
