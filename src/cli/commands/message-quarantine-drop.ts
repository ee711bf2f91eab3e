import type { Command } from "commander";
import { fault } from "../../shared/fault.ts";
import { coreCommand } from "../core-command.ts";
import { printable } from "../output/printable.ts";
import { quarantinedJson } from "../resources/quarantined-message.ts";
import type { Surroundings } from "../surroundings.ts";

/** `hermod message quarantine drop`: gives a message up. */
export function messageQuarantineDrop(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("drop")
    .argument("<id>", "a message id (msg_…)")
    .description("Give a message up that cannot be read: nobody will receive it.");
  coreCommand(surroundings, command, async ({ core, account, args: [id = ""] }) => {
    const { message } = await core.messages.dropQuarantinedMessage({ id, accountId: account });
    if (!message) throw fault("internal.error", { internal: "the core answered without the message" });
    return {
      json: quarantinedJson(message),
      text: () => `Dropped the message ${printable(message.id)}: nobody will receive it.`,
    };
  });
}
