import { type Command, Option } from "commander";
import type {
  ImportedRow,
  ImportSuppressionsResponse,
} from "../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { coreCommand } from "./core-command.ts";
import { readText } from "./input/read-text.ts";
import { table } from "./output/table.ts";
import { printable, shortened } from "./output/text.ts";
import { writeParts } from "./output/write-parts.ts";
import type { Surroundings } from "./surroundings.ts";

export const reasons = ["manual", "hard_bounce", "unsubscribe", "complaint"] as const;

export interface FilterOptions {
  readonly address?: string;
  readonly domain?: string;
  readonly reason?: string;
  readonly policy?: string;
  readonly accountWide?: boolean;
  readonly message?: string;
}

/** Gives a command the options that choose entries. */
export function withFilter(command: Command): Command {
  return command
    .option("--address <address>", "only this one")
    .option("--domain <domain>", "only addresses of this domain")
    .addOption(new Option("--reason <reason>", "only those for this reason").choices(reasons))
    .option("--policy <policy>", "only those for mail of this routing policy")
    .option("--account-wide", "only those for all mail of the account")
    .option("--message <id>", "only those that this message led to");
}

export function filterOf(options: FilterOptions) {
  const { address = "", domain = "", reason = "", policy = "", accountWide = false } = options;
  return { address, domain, reason, policy, accountWide, messageId: options.message ?? "" };
}

/** `hermod suppression export`: written as it comes, however much it is. */
export function suppressionExport(parent: Command, surroundings: Surroundings): void {
  const command = withFilter(parent.command("export")).description(
    "Write entries to standard output as CSV, by address.",
  );
  coreCommand<FilterOptions>(surroundings, command, async ({ core, account }, options) => {
    const request = { accountId: account, ...filterOf(options) };
    return writeParts(surroundings.out, core.suppressions.exportSuppressions(request));
  });
}

interface ImportOptions {
  readonly preview?: boolean;
  readonly reason?: string;
  readonly policy?: string;
}

/** `hermod suppression import` */
export function suppressionImport(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("import")
    .argument("<file>", "a CSV file, or - for standard input")
    .description("Add the addresses of a CSV file.")
    .option("--preview", "only say what would become of each row")
    .addOption(new Option("--reason <reason>", "for rows that name none").choices(reasons).default("manual"))
    .option("--policy <policy>", "for rows that name none: only no mail of this routing policy");
  coreCommand<ImportOptions>(
    surroundings,
    command,
    async ({ core, account, paint, args: [file = "-"] }, { preview = false, reason = "", policy = "" }) => {
      const csv = await readText(file, surroundings.input);
      const request = { accountId: account, csv, preview, reason, policy };
      const report = await core.suppressions.importSuppressions(request);
      const refused = report.rows.filter(({ outcome }) => outcome === "refused");
      const shown = preview ? report.rows : refused;
      return {
        json: reportJson(report),
        text: () =>
          [...(shown.length > 0 ? [table(paint, heading, shown.map(rowOf), "")] : []), summary(report)].join(
            "\n",
          ),
        ...noteOf(report),
      };
    },
  );
}

const heading = ["ROW", "ADDRESS", "OUTCOME", "WHY"];

function rowOf({ row, address, outcome, field, message }: ImportedRow): string[] {
  const why = [field, message].filter(Boolean).join(": ");
  return [String(row), shortened(printable(address), 60), outcome, shortened(printable(why), 100)];
}

function summary({ preview, counts }: ImportSuppressionsResponse): string {
  const { added = 0, strengthened = 0, alreadyThere = 0, refused = 0 } = counts ?? {};
  const were = preview ? "would be" : "are";
  const lead = preview ? "Nothing was changed" : "Imported";
  return `${lead}: ${added} ${were} added, ${strengthened} strengthened, ${alreadyThere} were there already, ${refused} ${were} refused.`;
}

/** Columns of which nothing is read, and alert rules that mail to an address. */
function noteOf(report: ImportSuppressionsResponse) {
  const names = report.columns.filter(({ field }) => field === "").map(({ name }) => `"${printable(name)}"`);
  const columns = names.length === 0 ? [] : [`Nothing was read of the columns ${names.join(", ")}.`];
  const sentence = report.preview
    ? "Alert rules mail to these addresses, and would not reach them"
    : "Alert rules mail to these addresses, and do not reach them from now on";
  const rules = report.alertRulesCount > 0 ? [`${sentence}: ${ruleNames(report)}.`] : [];
  const note = [...columns, ...rules].join(" ");
  return note === "" ? {} : { note };
}

/** Names of the first alert rules, and how many more there are. */
export function ruleNames({
  alertRules,
  alertRulesCount,
}: Pick<ImportSuppressionsResponse, "alertRules" | "alertRulesCount">): string {
  const more = alertRulesCount - alertRules.length;
  return [...alertRules.map(printable), ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

function reportJson(report: ImportSuppressionsResponse) {
  const { preview, counts, columns, rows } = report;
  return {
    preview,
    counts: {
      added: counts?.added ?? 0,
      strengthened: counts?.strengthened ?? 0,
      already_there: counts?.alreadyThere ?? 0,
      refused: counts?.refused ?? 0,
    },
    columns: columns.map(({ name, field }) => ({ name, field: field || null })),
    rows: rows.map(({ row, address, outcome, code, field, message }) => ({
      row,
      address,
      outcome,
      code: code || null,
      field: field || null,
      message: message || null,
    })),
    alert_rules: report.alertRules,
    alert_rules_count: report.alertRulesCount,
  };
}
