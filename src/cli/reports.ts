import type { JsonObject } from "@bufbuild/protobuf";
import { InvalidArgumentError, Option } from "commander";
import {
  GetReportFileResponseSchema,
  ReportLinkSchema,
  ReportSchema,
} from "../../gen/hermod/report/v1/report_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import { type CommandContext, type CommandOption, commandGroup, coreCommand } from "./core-command.ts";
import { findClient, findWatchedDomain, type InWorkspace, WORKSPACE } from "./input/find-watched.ts";
import { listCommand } from "./list-command.ts";
import { messageJson } from "./output/json.ts";
import { plainTime, printable } from "./output/text.ts";
import { writeParts } from "./output/write-parts.ts";
import { removeCommand } from "./remove-command.ts";
import { showCommand } from "./show-command.ts";

/** `hermod intel report` */
export const reports = commandGroup("report", "Reports, and links that open them without a session.", () => [
  reportList,
  reportAdd,
  reportShow,
  reportDownload,
  reportRemove,
  reportShare,
  reportLinks,
  reportUnshare,
]);

const NAMED = ["<report>", "id of the report (rpt_…)"] as const;

interface About extends InWorkspace {
  readonly client?: string;
  readonly domain?: string;
}

const ABOUT: readonly CommandOption[] = [
  ["--client <client>", "about a client: its id, external reference or name"],
  new Option("--domain <domain>", "about a domain: its name or id").conflicts("client"),
];

/** Subject that the options name; undefined: none. */
async function subjectOf(context: CommandContext, { workspace, client, domain }: About) {
  if (client !== undefined)
    return { type: "client", id: (await findClient(context, client, workspace)).id } as const;
  if (domain === undefined) return undefined;
  return { type: "domain", id: (await findWatchedDomain(context, domain, workspace)).id } as const;
}

/** `hermod intel report list` */
const reportList = listCommand({
  description: "List the finished reports of a workspace, latest first.",
  options: [...ABOUT, WORKSPACE],
  limit: 50,
  call: async (context, options: About) => {
    const { core, account, page } = context;
    const scopeId = (await subjectOf(context, options))?.id ?? "";
    const asked = { accountId: account, workspaceId: options.workspace, filter: { scopeId } };
    return core.reports.listReports({ ...asked, ...page });
  },
  of: "reports",
  schema: ReportSchema,
  columns: [
    ["REPORT", ({ id }) => id],
    ["ABOUT", ({ scope }) => `${scope?.type ?? ""} ${printable(scope?.name ?? "")}`],
    ["FROM", ({ period }) => plainTime(period?.from)],
    ["TO", ({ period }) => plainTime(period?.to)],
    ["GENERATED", ({ generatedAt }) => plainTime(generatedAt)],
  ],
  none: "There are no reports.",
});

/** `hermod intel report add` */
const reportAdd = showCommand({
  name: "add",
  description: "Create a report on a client, a domain, or the whole workspace, of the last 30 days.",
  options: [...ABOUT, WORKSPACE],
  call: async (context, options: About) => {
    const scope = (await subjectOf(context, options)) ?? { type: "workspace" };
    const { core, account } = context;
    return core.reports.createReport({
      accountId: account,
      workspaceId: options.workspace,
      scope,
      format: "html",
    });
  },
  of: "report",
  schema: ReportSchema,
  text: ({ id, state }) => (state === "ready" ? `Created the report ${id}.` : `Creating the report ${id}.`),
  note: ({ id, state }) => (state === "ready" ? undefined : `Result: hermod intel report show ${id}`),
});

/** `hermod intel report show` */
const reportShow = showCommand({
  name: "show",
  description: "Show the state of a report.",
  arguments: [NAMED],
  call: ({ core, account, args: [id = ""] }) => core.reports.getReport({ accountId: account, id }),
  of: "report",
  schema: ReportSchema,
  text: ({ id, state, progress, generatedAt, expiresAt, reason }) => {
    if (state === "ready")
      return `The report ${id} was generated at ${plainTime(generatedAt)}, and is kept until ${plainTime(expiresAt)}.`;
    if (progress) return `The report ${id} is ${state}: step ${progress.done} of ${progress.total}.`;
    return `The report ${id} is ${state}: ${printable(reason ?? "")}`;
  },
  isFailure: ({ state }) => state === "failed" || state === "cancelled",
});

/** `hermod intel report download` */
const reportDownload = coreCommand(
  {
    name: "download",
    description: "Write a report to standard output.",
    arguments: [NAMED],
    options: [
      new Option("--format <format>", "format of the report").choices(["pdf", "html", "json"]).default("pdf"),
      new Option("--paper <paper>", "paper size of a PDF (default: that of the report)").choices([
        "a4",
        "letter",
      ]),
    ],
  },
  async (
    { core, account, isJson, args: [id = ""], environment: { out } },
    { format, paper = "" }: { readonly format: string; readonly paper?: string },
  ) => {
    const file = await core.reports.getReportFile({ accountId: account, id, format, paper });
    if (isJson) {
      const { content, ...facts }: JsonObject = messageJson(GetReportFileResponseSchema, file) ?? {};
      return { json: { ...facts, content_base64: content }, text: () => "" };
    }
    if (file.progress) throw fault("report.not_ready");
    return writeParts(out, [{ data: file.content }]);
  },
);

/** `hermod intel report remove` */
const reportRemove = removeCommand(
  { description: "Remove a report with its links. Messages with the report stay.", arguments: [NAMED] },
  async ({ core, account, args: [id = ""] }) => {
    await core.reports.deleteReport({ accountId: account, id });
    return { text: `Removed the report ${id}.` };
  },
);

const MAX_DAYS = 90;

function readDays(text: string): number {
  const days = Number(text);
  if (/^[1-9]\d*$/.test(text) && days <= MAX_DAYS) return days;
  throw new InvalidArgumentError(`It must be a whole number of days, 1 to ${MAX_DAYS}.`);
}

interface ShareOptions {
  readonly days?: number;
  readonly note?: string;
}

/** `hermod intel report share` */
const reportShare = showCommand({
  name: "share",
  description: "Create a link that opens a report without a session. The link is shown only once.",
  arguments: [NAMED],
  options: [
    ["--days <days>", "days until it expires, 1 to 90 (default: 30)", readDays],
    ["--note <text>", "note for members, such as who gets the link"],
  ],
  call: ({ core, account, args: [id = ""] }, { days: expiresInDays, note }: ShareOptions) =>
    core.reports.createReportLink({ accountId: account, id, ...withoutUndefined({ expiresInDays, note }) }),
  of: "link",
  schema: ReportLinkSchema,
  also: ({ token, url }) => ({ token, url }),
  text: (_link, { answer: { token, url } }) => url || `/report/${token}`,
  note: ({ id, expiresAt }) =>
    `The link works until ${plainTime(expiresAt)}. To revoke it: hermod intel report unshare ${id}`,
});

/** `hermod intel report links` */
const reportLinks = listCommand({
  name: "links",
  description: "List the links to the reports of a workspace, latest first.",
  options: [["--report <report>", "only links to this report"], WORKSPACE],
  limit: 50,
  call: ({ core, account, page }, { workspace, report = "" }: InWorkspace & { readonly report?: string }) =>
    core.reports.listReportLinks({ accountId: account, workspaceId: workspace, reportId: report, ...page }),
  of: "links",
  schema: ReportLinkSchema,
  columns: [
    ["LINK", ({ id }) => id],
    ["REPORT", ({ reportId }) => reportId],
    ["ABOUT", ({ reportName }) => printable(reportName)],
    ["STATE", ({ state }) => state],
    ["EXPIRES", ({ expiresAt }) => plainTime(expiresAt)],
    ["OPENS", ({ opens }) => opens],
    ["PDF", ({ downloads }) => downloads],
    ["LAST", ({ lastOpenedAt }) => plainTime(lastOpenedAt) || "-"],
    ["NOTE", ({ note = "" }) => printable(note)],
  ],
  none: "There are no links.",
});

/** `hermod intel report unshare` */
const reportUnshare = showCommand({
  name: "unshare",
  description: "Revoke a link at once.",
  arguments: [["<link>", "id of the link (rpl_…)"]],
  call: ({ core, account, args: [id = ""] }) => core.reports.revokeReportLink({ accountId: account, id }),
  of: "link",
  schema: ReportLinkSchema,
  text: ({ id }) => `Revoked the link ${id}.`,
});
