import type { Command } from "commander";
import { allPages } from "../all-pages.ts";
import { coreCommand } from "../core-command.ts";
import { listJson } from "../output/list-json.ts";
import { printable } from "../output/printable.ts";
import { table } from "../output/table.ts";
import { plainTime } from "../output/time.ts";
import { senderJson } from "../resources/sender.ts";
import type { Surroundings } from "../surroundings.ts";

/** `hermod sender list` */
export function senderList(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("list")
    .description("List the addresses and domains that mail may come from.");
  coreCommand(surroundings, command, async ({ core, account, paint }) => {
    const senders = await allPages(
      (pageToken) => core.senders.listSenders({ accountId: account, pageToken }),
      (page) => page.senders,
    );
    const rows = senders.map((sender) => [
      printable(sender.value),
      sender.kind,
      plainTime(sender.verifiedAt) || "not verified",
    ]);
    return {
      json: listJson(senders.map(senderJson)),
      text: () =>
        table(
          paint,
          ["SENDER", "KIND", "VERIFIED"],
          rows,
          "There are no senders. Add one with `hermod sender add`.",
        ),
    };
  });
}
