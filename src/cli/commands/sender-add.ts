import type { Command } from "commander";
import { fault } from "../../shared/fault.ts";
import { coreCommand } from "../core-command.ts";
import { printable } from "../output/printable.ts";
import { senderJson } from "../resources/sender.ts";
import type { Surroundings } from "../surroundings.ts";

/** `hermod sender add`: the operator vouches for it, so it counts as verified. */
export function senderAdd(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("add")
    .argument("<sender>", "an address, or a domain for all of its addresses")
    .description("Allow mail from an address or a domain.");
  coreCommand(surroundings, command, async ({ core, account, args: [value = ""] }) => {
    const { sender } = await core.senders.addSender({ accountId: account, value });
    if (!sender) throw fault("internal.error", { internal: "the core answered without the sender" });
    const shown = printable(sender.value);
    return {
      json: senderJson(sender),
      text: () => `Mail may be sent from ${sender.kind === "domain" ? `every address at ${shown}` : shown}.`,
    };
  });
}
