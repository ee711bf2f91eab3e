import { MessageSchema } from "../../gen/hermod/message/v1/message_service_pb.ts";
import { coreCommand } from "./core-command.ts";
import { messageJson } from "./output/json.ts";
import { printableLines } from "./output/text.ts";
import { writeParts } from "./output/write-parts.ts";
import { required } from "./show-command.ts";

/** `hermod message source`: what a message says. Octet for octet in a pipe; a terminal is not at the mercy of a mail. */
export const messageSource = coreCommand(
  {
    name: "source",
    description:
      "Write a message as it goes over the wire to standard output. That you have read it is in the audit log.",
    arguments: [["<id>", "a message id (msg_…) or a trace id (sx_…)"]],
  },
  async ({ core, account, isJson, args: [id = ""], surroundings: { out } }) => {
    const { message, source } = await core.messages.getMessageSource({ id, accountId: account });
    const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
    if (isJson) {
      const json = messageJson(MessageSchema, required(message, "message"));
      return { json: { ...json, source_base64: bytes.toString("base64") }, text: () => "" };
    }
    return writeParts(out, [{ data: out.isTTY ? Buffer.from(printableLines(bytes.toString())) : bytes }]);
  },
);
