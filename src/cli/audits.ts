import { Option } from "commander";
import { type Change, type Entry, EntrySchema } from "../../gen/hermod/audit/v1/audit_service_pb.ts";
import { type CommandOption, commandGroup, coreCommand } from "./core-command.ts";
import { TIME_RANGE, type TimeRange, timesOf } from "./input/time-range.ts";
import { listCommand } from "./list-command.ts";
import { actorText, plainTime, printable, shortened } from "./output/text.ts";
import { writeParts } from "./output/write-parts.ts";

/** `hermod audit` */
export const audits = commandGroup(
  "audit",
  "Audit log: changes, reads and refused attempts, and who made them.",
  () => [auditList, auditExport],
);

interface FilterOptions extends TimeRange {
  readonly installation?: boolean;
  readonly actor?: string;
  readonly action?: string;
  readonly target?: string;
  readonly outcome?: string;
}

/** Options that filter entries. */
const FILTER: readonly CommandOption[] = [
  ["--installation", "entries of no account: accounts, users, backups, sign-ins with an unknown address"],
  ["--actor <id>", "only actions of this actor: a user id, or operator"],
  [
    "--action <action>",
    "only this action, for example key.create, or all of a resource, for example key; several: separated by commas",
  ],
  ["--target <id>", "only actions on this target"],
  new Option("--outcome <outcome>", "only entries with this outcome").choices(["changed", "read", "refused"]),
  ...TIME_RANGE,
];

function requestOf(account: string, { installation = false, ...options }: FilterOptions) {
  const { actor: actorId = "", action = "", target: targetId = "", outcome = "" } = options;
  return {
    accountId: installation ? "" : account,
    installation,
    filter: {
      actorId,
      action,
      targetId,
      outcome,
      ...timesOf(options),
    },
  };
}

/** `hermod audit list`: newest first. */
const auditList = listCommand({
  description: "List entries of the audit log, newest first.",
  options: FILTER,
  limit: 50,
  call: ({ core, account, page }, options: FilterOptions) =>
    core.audits.listEntries({ ...requestOf(account, options), ...page }),
  of: "entries",
  schema: EntrySchema,
  columns: [
    ["TIME", ({ at }) => plainTime(at)],
    ["ACTOR", ({ actor }) => actorText(actor)],
    ["FROM", ({ clientAddress }) => printable(clientAddress) || "-"],
    ["ACTION", ({ action }) => action],
    ["TARGET", targetText],
    ["OUTCOME", outcomeText],
    ["CHANGES", ({ changes }) => shortened(printable(changes.map(changeText).join(", ")), 80)],
  ],
  none: "No entries match.",
});

/** `hermod audit export`: streams the export, so that its size is unlimited. */
const auditExport = coreCommand(
  {
    name: "export",
    description: "Write entries of the audit log to standard output, newest first.",
    options: [
      ...FILTER,
      new Option("--format <format>", "format of the export").choices(["csv", "ndjson"]).default("csv"),
    ],
  },
  ({ core, account, isJson, environment }, options: FilterOptions & { readonly format: string }) => {
    const { format, ...filter } = options;
    const request = { ...requestOf(account, filter), format: isJson ? "ndjson" : format };
    return writeParts(environment.out, core.audits.exportEntries(request));
  },
);

function targetText({ target }: Entry): string {
  const words = [target?.kind, target?.name || target?.id].filter(Boolean).join(" ");
  return shortened(printable(words), 50) || "-";
}

function outcomeText({ outcome, reason, count }: Entry): string {
  return `${outcome}${reason === "" ? "" : `: ${reason}`}${count > 1 ? ` (${count} times)` : ""}`;
}

function changeText({ field, before, after, secret }: Change): string {
  if (secret) return `${field} (secret)`;
  if (before === undefined) return `${field}: ${after}`;
  return `${field}: ${before} -> ${after ?? "nothing"}`;
}
