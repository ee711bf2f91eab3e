import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Command, Option } from "commander";
import type { Change, Entry } from "../../gen/hermod/audit/v1/audit_service_pb.ts";
import { coreCommand } from "./core-command.ts";
import { LIMIT_MAX, readLimit, readMoment } from "./input/read-options.ts";
import { table } from "./output/table.ts";
import { isoTime, listJson, plainTime, printable, shortened } from "./output/text.ts";
import { writeParts } from "./output/write-parts.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod audit` */
export function audits(program: Command, surroundings: Surroundings): void {
  const group = program.command("audit").description("Who changed what, and who was refused what.");
  auditList(group, surroundings);
  auditExport(group, surroundings);
}

interface FilterOptions {
  readonly installation?: boolean;
  readonly actor?: string;
  readonly action?: string;
  readonly target?: string;
  readonly outcome?: string;
  readonly from?: Date;
  readonly until?: Date;
}

/** Gives a command the options that choose entries. */
function withFilter(command: Command): Command {
  return command
    .option("--installation", "what is of no account: accounts, users, backups, sign-ins of strangers")
    .option("--actor <id>", "only what somebody did: a user's id, or operator")
    .option("--action <action>", "only one action, as key.create, or all of a resource, as key")
    .option("--target <id>", "only what was done to this")
    .addOption(new Option("--outcome <outcome>", "only these").choices(["changed", "read", "refused"]))
    .option("--from <moment>", "from then on, as 2030-01-02T09:00:00Z", readMoment)
    .option("--until <moment>", "before then", readMoment);
}

function requestOf(account: string, { installation = false, from, until, ...options }: FilterOptions) {
  const { actor: actorId = "", action = "", target: targetId = "", outcome = "" } = options;
  return {
    accountId: installation ? "" : account,
    installation,
    filter: {
      actorId,
      action,
      targetId,
      outcome,
      ...(from && { from: timestampFromDate(from) }),
      ...(until && { until: timestampFromDate(until) }),
    },
  };
}

interface ListOptions extends FilterOptions {
  readonly limit: number;
  readonly cursor?: string;
}

const heading = ["TIME", "ACTOR", "FROM", "ACTION", "TARGET", "OUTCOME", "CHANGES"];

/** `hermod audit list`: newest first. */
function auditList(parent: Command, surroundings: Surroundings): void {
  const command = withFilter(parent.command("list"))
    .description("List entries of the audit log, newest first.")
    .option("--limit <count>", `how many, 1 to ${LIMIT_MAX}`, readLimit, 50)
    .option("--cursor <cursor>", "go on behind an earlier list: its next_cursor");
  coreCommand<ListOptions>(surroundings, command, async ({ core, account, paint }, options) => {
    const { limit, cursor = "", ...filter } = options;
    const request = { ...requestOf(account, filter), pageSize: limit, pageToken: cursor };
    const { entries, nextPageToken } = await core.audits.listEntries(request);
    return {
      json: listJson(entries.map(entryJson), nextPageToken),
      text: () => table(paint, heading, entries.map(rowOf), "There are no such entries."),
      ...(nextPageToken !== "" && { note: `There are more: --cursor ${nextPageToken}` }),
    };
  });
}

interface ExportOptions extends FilterOptions {
  readonly format: string;
}

/** `hermod audit export`: written as it comes, however much it is. */
function auditExport(parent: Command, surroundings: Surroundings): void {
  const command = withFilter(parent.command("export"))
    .description("Write entries of the audit log to standard output, newest first.")
    .addOption(new Option("--format <format>", "how").choices(["csv", "ndjson"]).default("csv"));
  coreCommand<ExportOptions>(surroundings, command, async ({ core, account, isJson }, options) => {
    const { format, ...filter } = options;
    const request = { ...requestOf(account, filter), format: isJson ? "ndjson" : format };
    return writeParts(surroundings.out, core.audits.exportEntries(request));
  });
}

function rowOf(entry: Entry): string[] {
  const { actor, target, changes, count, outcome, reason } = entry;
  const what = [target?.kind, target?.name || target?.id].filter(Boolean).join(" ");
  const times = count > 1 ? ` (${count} times)` : "";
  return [
    plainTime(entry.at),
    printable(actor?.name || actor?.kind || ""),
    printable(entry.clientAddress) || "-",
    entry.action,
    shortened(printable(what), 50) || "-",
    `${outcome}${reason === "" ? "" : `: ${reason}`}${times}`,
    shortened(printable(changes.map(describe).join(", ")), 80),
  ];
}

function describe({ field, before, after, secret }: Change): string {
  if (secret) return `${field} (secret)`;
  if (before === undefined) return `${field}: ${after}`;
  return `${field}: ${before} -> ${after ?? "nothing"}`;
}

function entryJson(entry: Entry) {
  return {
    id: entry.id,
    account_id: entry.accountId,
    at: isoTime(entry.at),
    actor: named(entry.actor),
    session_id: entry.sessionId,
    client_address: entry.clientAddress,
    client_agent: entry.clientAgent,
    action: entry.action,
    target: named(entry.target),
    changes: entry.changes.map(({ field, before, after, secret }) => ({
      field,
      before: before ?? null,
      after: after ?? null,
      secret,
    })),
    outcome: entry.outcome,
    reason: entry.reason,
    count: entry.count,
    since: isoTime(entry.since),
    trace_id: entry.traceId,
  };
}

function named(one: Entry["actor"] | Entry["target"]) {
  return { kind: one?.kind ?? "", id: one?.id ?? "", name: one?.name ?? "" };
}
