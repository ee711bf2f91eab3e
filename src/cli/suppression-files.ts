import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Option } from "commander";
import {
  type ImportedRow,
  type ImportSuppressionsResponse,
  ImportSuppressionsResponseSchema,
} from "../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { type CommandOption, coreCommand } from "./core-command.ts";
import { readMoment } from "./input/read-options.ts";
import { readText } from "./input/read-text.ts";
import { messageJson } from "./output/json.ts";
import { table } from "./output/table.ts";
import { printable, shortened } from "./output/text.ts";
import { writeParts } from "./output/write-parts.ts";

export const reasons = ["manual", "hard_bounce", "unsubscribe", "complaint"] as const;

export interface FilterOptions {
  readonly address?: string;
  readonly domain?: string;
  readonly reason?: string;
  readonly policy?: string;
  readonly accountWide?: boolean;
  readonly message?: string;
  readonly from?: Date;
  readonly until?: Date;
}

/** Options that filter entries. */
export const FILTER: readonly CommandOption[] = [
  ["--address <address>", "only entries of this address"],
  ["--domain <domain>", "only entries of addresses in this domain"],
  new Option("--reason <reason>", "only entries with this reason").choices(reasons),
  ["--policy <policy>", "only entries for mail of this routing policy"],
  ["--account-wide", "only entries for all mail of the account"],
  ["--message <id>", "only entries that this message caused"],
  [
    "--from <moment>",
    "only entries since this time or later, newest first, for example 2030-01-02T09:00:00Z",
    readMoment,
  ],
  ["--until <moment>", "only entries since before this time, newest first", readMoment],
];

export function filterOf(options: FilterOptions) {
  const { address = "", domain = "", reason = "", policy = "", accountWide = false } = options;
  const { from, until } = options;
  return {
    address,
    domain,
    reason,
    policy,
    accountWide,
    messageId: options.message ?? "",
    ...(from && { from: timestampFromDate(from) }),
    ...(until && { until: timestampFromDate(until) }),
  };
}

/** `hermod suppression export`: streams the export, so that its size is unlimited. */
export const suppressionExport = coreCommand(
  {
    name: "export",
    description: "Write entries to standard output as CSV, sorted by address.",
    options: FILTER,
  },
  ({ core, account, environment }, options: FilterOptions) => {
    const request = { accountId: account, ...filterOf(options) };
    return writeParts(environment.out, core.suppressions.exportSuppressions(request));
  },
);

interface ImportOptions {
  readonly preview?: boolean;
  readonly reason?: string;
  readonly policy?: string;
}

/** `hermod suppression import` */
export const suppressionImport = coreCommand(
  {
    name: "import",
    description: "Add the addresses of a CSV file.",
    arguments: [["<file>", "CSV file, or - for standard input"]],
    options: [
      ["--preview", "show the result of each row without importing"],
      new Option("--reason <reason>", "reason of rows without one").choices(reasons).default("manual"),
      ["--policy <policy>", "routing policy of rows without one: suppress only its mail"],
    ],
  },
  async ({ core, account, paint, args: [file = "-"], environment }, options: ImportOptions) => {
    const { preview = false, reason = "", policy = "" } = options;
    const csv = await readText(file, environment.input);
    const request = { accountId: account, csv, preview, reason, policy };
    const report = await core.suppressions.importSuppressions(request);
    const refused = report.rows.filter(({ outcome }) => outcome === "refused");
    const shown = (preview ? report.rows : refused).map(rowOf);
    return {
      json: messageJson(ImportSuppressionsResponseSchema, report),
      text: () =>
        [...(shown.length > 0 ? [table(paint, heading, shown, "")] : []), summary(report)].join("\n"),
      note: noteOf(report),
    };
  },
);

const heading = ["ROW", "ADDRESS", "OUTCOME", "REASON"];

function rowOf({ row, address, outcome, field, message }: ImportedRow): string[] {
  const why = [field, message].filter(Boolean).join(": ");
  return [String(row), shortened(printable(address), 60), outcome, shortened(printable(why), 100)];
}

function summary({ preview, counts }: ImportSuppressionsResponse): string {
  const { added = 0, strengthened = 0, alreadyThere = 0, refused = 0 } = counts ?? {};
  const were = preview ? "would be" : "are";
  const lead = preview ? "Nothing was changed" : "Imported";
  return `${lead}: ${added} ${were} added, ${strengthened} strengthened, ${alreadyThere} already existed, ${refused} ${were} refused.`;
}

/** Ignored columns, and alert rules with suppressed recipients. */
function noteOf(report: ImportSuppressionsResponse): string | undefined {
  const names = report.columns.filter(({ field }) => field === "").map(({ name }) => `"${printable(name)}"`);
  const columns = names.length === 0 ? [] : [`Ignored the columns ${names.join(", ")}.`];
  const sentence = report.preview
    ? "Alert rules with these recipients would not reach them"
    : "Alert rules with these recipients no longer reach them";
  const rules = report.alertRulesCount > 0 ? [`${sentence}: ${ruleNames(report)}.`] : [];
  return [...columns, ...rules].join(" ") || undefined;
}

/** Names of the first alert rules, and how many more there are. */
export function ruleNames({
  alertRules,
  alertRulesCount,
}: Pick<ImportSuppressionsResponse, "alertRules" | "alertRulesCount">): string {
  const more = alertRulesCount - alertRules.length;
  return [...alertRules.map(printable), ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}
