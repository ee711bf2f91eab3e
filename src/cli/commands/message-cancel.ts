import type { Command } from "commander";
import { fault } from "../../shared/fault.ts";
import { coreCommand } from "../core-command.ts";
import { printable } from "../output/printable.ts";
import { messageJson } from "../resources/message.ts";
import type { Surroundings } from "../surroundings.ts";

/** `hermod message cancel`: before it is delivered. */
export function messageCancel(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("cancel")
    .argument("<id>", "a message id (msg_…)")
    .description("Withdraw a message that is not delivered yet.");
  coreCommand(surroundings, command, async ({ core, account, args: [id = ""] }) => {
    const { message } = await core.messages.cancelMessage({ id, accountId: account });
    if (!message) throw fault("internal.error", { internal: "the core answered without the message" });
    return {
      json: messageJson(message),
      text: () => `Cancelled the message ${message.id} to ${printable(message.recipient)}.`,
    };
  });
}
