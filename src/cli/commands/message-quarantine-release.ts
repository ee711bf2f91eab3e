import type { Command } from "commander";
import { fault } from "../../shared/fault.ts";
import { coreCommand } from "../core-command.ts";
import { printable } from "../output/printable.ts";
import { quarantinedJson } from "../resources/quarantined-message.ts";
import type { Surroundings } from "../surroundings.ts";

/** `hermod message quarantine release`: puts a message back into the queue. */
export function messageQuarantineRelease(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("release")
    .argument("<id>", "a message id (msg_…)")
    .description("Try again to deliver a message that was mended.");
  coreCommand(surroundings, command, async ({ core, account, args: [id = ""] }) => {
    const { message } = await core.messages.releaseQuarantinedMessage({ id, accountId: account });
    if (!message) throw fault("internal.error", { internal: "the core answered without the message" });
    return {
      json: quarantinedJson(message),
      text: () => `Released the message ${printable(message.id)}: it is due now.`,
    };
  });
}
