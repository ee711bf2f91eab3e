import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Suppression } from "../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { coreCommand } from "./core-command.ts";
import { LIMIT_MAX, readLimit } from "./input/read-options.ts";
import { table } from "./output/table.ts";
import { isoTime, listJson, plainTime, printable, shortened } from "./output/text.ts";
import {
  type FilterOptions,
  filterOf,
  reasons,
  ruleNames,
  suppressionExport,
  suppressionImport,
  withFilter,
} from "./suppression-files.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod suppression` */
export function suppressions(program: Command, surroundings: Surroundings): void {
  const group = program.command("suppression").description("Addresses that nothing is sent to.");
  suppressionAdd(group, surroundings);
  suppressionRemove(group, surroundings);
  suppressionList(group, surroundings);
  suppressionImport(group, surroundings);
  suppressionExport(group, surroundings);
}

interface AddOptions {
  readonly policy?: string;
  readonly reason: string;
  readonly detail?: string;
  readonly days?: number;
}

const DAY_MS = 24 * 3_600_000;
const MAX_DAYS = 36_500;

/** `hermod suppression add` */
function suppressionAdd(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("add")
    .argument("<address>", "whom nothing is to be sent to; @example.com: nobody of the domain")
    .description("Send nothing to an address.")
    .option("--policy <policy>", "only no mail of this routing policy")
    .addOption(new Option("--reason <reason>", "why").choices(reasons).default("manual"))
    .option("--detail <text>", "a note")
    .option("--days <count>", "for so many days; left out: for ever", readDays);
  coreCommand<AddOptions>(surroundings, command, async ({ core, account, args: [address = ""] }, options) => {
    const { policy = "", reason, detail = "", days } = options;
    const { suppression, alertRules, alertRulesCount } = await core.suppressions.addSuppression({
      accountId: account,
      address,
      reason,
      policy,
      detail,
      ...(days !== undefined && { expireAt: timestampFromDate(new Date(Date.now() + days * DAY_MS)) }),
    });
    if (!suppression) throw fault("internal.error", { internal: "the core answered without the entry" });
    return {
      json: { ...suppressionJson(suppression), alert_rules: alertRules, alert_rules_count: alertRulesCount },
      text: () => describeSuppression(suppression),
      ...(alertRulesCount > 0 && {
        note: `Alert rules mail to it, and do not reach it from now on: ${ruleNames({ alertRules, alertRulesCount })}.`,
      }),
    };
  });
}

function readDays(text: string): number {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= MAX_DAYS) return days;
  throw new InvalidArgumentError(`Give whole days, 1 to ${MAX_DAYS}.`);
}

interface ListOptions extends FilterOptions {
  readonly limit: number;
  readonly cursor?: string;
}

const heading = ["ADDRESS", "REASON", "POLICY", "SINCE", "UNTIL", "DETAIL"];

/** `hermod suppression list`: by address. */
function suppressionList(parent: Command, surroundings: Surroundings): void {
  const command = withFilter(parent.command("list"))
    .description("List the addresses that nothing is sent to.")
    .option("--limit <count>", `how many, 1 to ${LIMIT_MAX}`, readLimit, 50)
    .option("--cursor <cursor>", "go on behind an earlier list: its next_cursor");

  coreCommand<ListOptions>(surroundings, command, async ({ core, account, paint }, options) => {
    const { limit, cursor = "" } = options;
    const { suppressions, nextPageToken } = await core.suppressions.listSuppressions({
      accountId: account,
      ...filterOf(options),
      pageSize: limit,
      pageToken: cursor,
    });
    const rows = suppressions.map((entry) => [
      printable(entry.address),
      entry.reason,
      printable(entry.policy) || "all mail",
      plainTime(entry.createdAt),
      plainTime(entry.expireAt) || "for ever",
      shortened(printable(entry.detail), 60),
    ]);
    return {
      json: listJson(suppressions.map(suppressionJson), nextPageToken),
      text: () => table(paint, heading, rows, "Nobody is suppressed."),
      ...(nextPageToken !== "" && { note: `There are more: --cursor ${nextPageToken}` }),
    };
  });
}

/** `hermod suppression remove`: counts from the next message on. */
function suppressionRemove(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("remove")
    .argument("<address>", "as suppression list shows it")
    .description("Take an address off the list: mail to it is sent again.")
    .option("--policy <policy>", "the entry for this routing policy, instead of the one for all mail");
  coreCommand<{ policy?: string }>(
    surroundings,
    command,
    async ({ core, account, args: [address = ""] }, { policy = "" }) => {
      const request = { accountId: account, address, policy };
      const { suppression, notice } = await core.suppressions.removeSuppression(request);
      if (!suppression) throw fault("internal.error", { internal: "the core answered without the entry" });
      return { json: suppressionJson(suppression), text: () => printable(notice) };
    },
  );
}

/** A suppression as `--json` writes it. */
function suppressionJson(entry: Suppression) {
  return {
    account_id: entry.accountId,
    address: entry.address,
    reason: entry.reason,
    policy: entry.policy || null,
    message_id: entry.messageId || null,
    detail: entry.detail || null,
    created_at: isoTime(entry.createdAt),
    expire_at: isoTime(entry.expireAt),
  };
}

/** For people: what is not sent, until when. */
function describeSuppression({ address, reason, policy, expireAt }: Suppression): string {
  const mail = policy === "" ? "No mail" : `No mail of the policy "${printable(policy)}"`;
  const until = expireAt ? `until ${plainTime(expireAt)}` : "from now on";
  return `${mail} is sent to ${printable(address)} ${until} (${reason}).`;
}
