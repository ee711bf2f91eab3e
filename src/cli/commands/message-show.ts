import type { Command } from "commander";
import { fault } from "../../shared/fault.ts";
import { coreCommand } from "../core-command.ts";
import { describeMessage } from "../output/describe-message.ts";
import { eventJson, messageJson } from "../resources/message.ts";
import type { Surroundings } from "../surroundings.ts";

/** `hermod message show`: a message and all that happened to it. */
export function messageShow(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("show")
    .argument("<id>", "a message id (msg_…) or a trace id (sx_…)")
    .description("Show a message and all that happened to it.");
  coreCommand(surroundings, command, async ({ core, account, paint, args: [id = ""] }) => {
    const { message, timeline } = await core.messages.getMessage({ id, accountId: account });
    if (!message) throw fault("internal.error", { internal: "the core answered without the message" });
    return {
      json: { ...messageJson(message), timeline: timeline.map(eventJson) },
      text: () => describeMessage(paint, message, timeline),
    };
  });
}
