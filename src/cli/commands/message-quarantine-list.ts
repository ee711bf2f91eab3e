import type { Command } from "commander";
import { coreCommand } from "../core-command.ts";
import { LIMIT_MAX, readLimit } from "../input/read-limit.ts";
import { listJson } from "../output/list-json.ts";
import { printable, shortened } from "../output/printable.ts";
import { table } from "../output/table.ts";
import { plainTime } from "../output/time.ts";
import { quarantinedJson } from "../resources/quarantined-message.ts";
import type { Surroundings } from "../surroundings.ts";

interface Options {
  readonly limit: number;
  readonly cursor?: string;
}

const heading = ["ID", "SINCE", "RECIPIENT", "REASON"];

/** `hermod message quarantine list`: the earliest accepted first. */
export function messageQuarantineList(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("list")
    .description("List waiting messages that cannot be read, of all accounts unless one is named.")
    .option("--limit <count>", `how many, 1 to ${LIMIT_MAX}`, readLimit, 50)
    .option("--cursor <cursor>", "go on behind an earlier list: its next_cursor");
  coreCommand<Options>(surroundings, command, async ({ core, account, paint }, { limit, cursor = "" }) => {
    const { messages, nextPageToken } = await core.messages.listQuarantinedMessages({
      accountId: account,
      pageSize: limit,
      pageToken: cursor,
    });
    const rows = messages.map((message) => [
      printable(message.id),
      plainTime(message.quarantinedAt),
      shortened(printable(message.recipient), 40),
      shortened(printable(message.reason), 70),
    ]);
    return {
      json: listJson(messages.map(quarantinedJson), nextPageToken),
      text: () => table(paint, heading, rows, "There are no messages in quarantine."),
      ...(nextPageToken !== "" && { note: `There are more: --cursor ${nextPageToken}` }),
    };
  });
}
