import type { Command } from "commander";
import { fault } from "../shared/fault.ts";
import { coreCommand } from "./core-command.ts";
import { messageJson } from "./output/describe-message.ts";
import { printableLines } from "./output/text.ts";
import { writeParts } from "./output/write-parts.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod message source`: what a message says. Octet for octet in a pipe; a terminal is not at the mercy of a mail. */
export function messageSource(parent: Command, surroundings: Surroundings): void {
  const { out } = surroundings;
  const command = parent
    .command("source")
    .argument("<id>", "a message id (msg_…) or a trace id (sx_…)")
    .description(
      "Write a message as it goes over the wire to standard output. That you have read it is in the audit log.",
    );
  coreCommand(surroundings, command, async ({ core, account, isJson, args: [id = ""] }) => {
    const { message, source } = await core.messages.getMessageSource({ id, accountId: account });
    if (!message) throw fault("internal.error", { internal: "the core answered without the message" });
    const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
    if (isJson) {
      const json = { ...messageJson(message), source_base64: bytes.toString("base64") };
      return { json, text: () => "" };
    }
    return writeParts(out, [{ data: out.isTTY ? Buffer.from(printableLines(bytes.toString())) : bytes }]);
  });
}
