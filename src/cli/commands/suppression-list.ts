import { type Command, Option } from "commander";
import { coreCommand } from "../core-command.ts";
import { LIMIT_MAX, readLimit } from "../input/read-limit.ts";
import { listJson } from "../output/list-json.ts";
import { printable, shortened } from "../output/printable.ts";
import { table } from "../output/table.ts";
import { plainTime } from "../output/time.ts";
import { suppressionJson } from "../resources/suppression.ts";
import type { Surroundings } from "../surroundings.ts";
import { reasons } from "./suppression-add.ts";

interface Options {
  readonly address?: string;
  readonly reason?: string;
  readonly limit: number;
  readonly cursor?: string;
}

const heading = ["ADDRESS", "REASON", "POLICY", "SINCE", "UNTIL", "DETAIL"];

/** `hermod suppression list`: by address. */
export function suppressionList(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("list")
    .description("List the addresses that nothing is sent to.")
    .option("--address <address>", "only this one")
    .addOption(new Option("--reason <reason>", "only those for this reason").choices(reasons))
    .option("--limit <count>", `how many, 1 to ${LIMIT_MAX}`, readLimit, 50)
    .option("--cursor <cursor>", "go on behind an earlier list: its next_cursor");

  coreCommand<Options>(surroundings, command, async ({ core, account, paint }, options) => {
    const { address = "", reason = "", limit, cursor = "" } = options;
    const { suppressions, nextPageToken } = await core.suppressions.listSuppressions({
      accountId: account,
      address,
      reason,
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
