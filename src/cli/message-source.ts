import { MessageSchema } from "../../gen/hermod/message/v1/message_service_pb.ts";
import { coreCommand } from "./core-command.ts";
import { messageJson } from "./output/json.ts";
import { printableLines } from "./output/text.ts";
import { writeParts } from "./output/write-parts.ts";
import { required } from "./show-command.ts";

/** `hermod message source`: unchanged bytes in a pipe; for a terminal without control characters. */
export const messageSource = coreCommand(
  {
    name: "source",
    description:
      "Write the source of a message to standard output, as it is sent. The audit log records the read.",
    arguments: [["<id>", "id (msg_…) or trace id (sx_…) of the message"]],
  },
  async ({ core, account, isJson, args: [id = ""], environment: { out } }) => {
    const { message, source } = await core.messages.getMessageSource({ id, accountId: account });
    const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
    if (isJson) {
      const json = messageJson(MessageSchema, required(message, "message"));
      return { json: { ...json, source_base64: bytes.toString("base64") }, text: () => "" };
    }
    return writeParts(out, [{ data: out.isTTY ? Buffer.from(printableLines(bytes.toString())) : bytes }]);
  },
);
