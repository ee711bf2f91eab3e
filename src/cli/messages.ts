import { type Command, Option } from "commander";
import type { Message } from "../../gen/hermod/message/v1/message_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { bulkMessages } from "./bulk-messages.ts";
import { coreCommand } from "./core-command.ts";
import { messageCount } from "./count-messages.ts";
import {
  choosesMessages,
  type MessageFilterOptions,
  messageFilterOf,
  withMessageFilter,
} from "./input/message-filter.ts";
import { LIMIT_MAX, readLimit } from "./input/read-options.ts";
import { messageSource } from "./message-source.ts";
import { describeMessage, eventJson, messageJson } from "./output/describe-message.ts";
import { paintState } from "./output/paint.ts";
import { table } from "./output/table.ts";
import { listJson, plainTime, printable, shortened } from "./output/text.ts";
import { writeParts } from "./output/write-parts.ts";
import { quarantine } from "./quarantine.ts";
import type { Surroundings } from "./surroundings.ts";
import { messageTail } from "./tail-messages.ts";

/** `hermod message`, and what it has of the quarantine. */
export function messages(program: Command, surroundings: Surroundings): void {
  const group = program.command("message").description("What became of messages, and withdrawing them.");
  messageShow(group, surroundings);
  messageSource(group, surroundings);
  messageList(group, surroundings);
  messageExport(group, surroundings);
  messageCount(group, surroundings);
  messageTail(group, surroundings);
  messageCancel(group, surroundings);
  messageRetry(group, surroundings);
  messageResend(group, surroundings);
  bulkMessages(group, surroundings);
  quarantine(group, surroundings);
}

/** `hermod message show`: a message and all that happened to it. */
function messageShow(parent: Command, surroundings: Surroundings): void {
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

interface Options extends MessageFilterOptions {
  readonly limit: number;
  readonly cursor?: string;
}

const MAX_PAGES = 100;
const heading = ["ID", "STATE", "CREATED", "RECIPIENT", "ATTEMPTS", "SUBJECT"];

/** `hermod message list`: newest first. */
function messageList(parent: Command, surroundings: Surroundings): void {
  const command = withMessageFilter(parent.command("list"))
    .description("List messages, newest first: all, or those that meet all that is asked for.")
    .option("--limit <count>", `how many, 1 to ${LIMIT_MAX}`, readLimit, 50)
    .option("--cursor <cursor>", "go on behind an earlier list: its next_cursor");

  coreCommand<Options>(
    surroundings,
    command,
    async ({ core, account, paint }, { limit, cursor, ...options }) => {
      const filter = messageFilterOf(options);
      const isChosen = choosesMessages(options);
      const messages: Message[] = [];
      let nextPageToken = cursor ?? "";
      // The core looks through so many messages for a page: where few of them are meant, several are asked for.
      for (let page = 0; page < MAX_PAGES; page++) {
        const answer = await core.messages.listMessages({
          accountId: account,
          pageSize: limit - messages.length,
          pageToken: nextPageToken,
          filter,
        });
        messages.push(...answer.messages);
        nextPageToken = answer.nextPageToken;
        if (!isChosen || nextPageToken === "" || messages.length >= limit) break;
      }
      const rows = messages.map((message) => [
        message.id,
        paintState(paint, message.state),
        plainTime(message.createdAt),
        shortened(printable(message.recipient), 40),
        String(message.attempts),
        shortened(printable(message.subject), 50),
      ]);
      return {
        json: listJson(messages.map(messageJson), nextPageToken),
        text: () =>
          table(paint, heading, rows, isChosen ? "There are no such messages." : "There are no messages."),
        ...(nextPageToken !== "" && { note: `There are more: --cursor ${nextPageToken}` }),
      };
    },
  );
}

interface ExportOptions extends MessageFilterOptions {
  readonly format: string;
}

/** `hermod message export`: written as it comes, however much it is. */
function messageExport(parent: Command, surroundings: Surroundings): void {
  const command = withMessageFilter(parent.command("export"))
    .description(
      "Write messages to standard output, newest first: all, or those that meet all that is asked for.",
    )
    .addOption(new Option("--format <format>", "how").choices(["csv", "ndjson"]).default("csv"));
  coreCommand<ExportOptions>(surroundings, command, async ({ core, account, isJson }, options) => {
    const { format, ...filter } = options;
    const asked = { filter: messageFilterOf(filter), format: isJson ? "ndjson" : format };
    return writeParts(surroundings.out, core.messages.exportMessages({ accountId: account, ...asked }));
  });
}

/** `hermod message cancel`: before it is delivered. */
function messageCancel(parent: Command, surroundings: Surroundings): void {
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

/** `hermod message retry`: at once, and not at its next attempt. */
function messageRetry(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("retry")
    .argument("<id>", "a message id (msg_…)")
    .description("Try a deferred message now.");
  coreCommand(surroundings, command, async ({ core, account, args: [id = ""] }) => {
    const { message } = await core.messages.retryMessage({ id, accountId: account });
    if (!message) throw fault("internal.error", { internal: "the core answered without the message" });
    return {
      json: messageJson(message),
      text: () => `The message ${message.id} to ${printable(message.recipient)} is due now.`,
    };
  });
}

/** `hermod message resend`: as a new message. */
function messageResend(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("resend")
    .argument("<id>", "a message id (msg_…)")
    .option("--idempotency-key <key>", "repeated with the same key, it is sent once more once")
    .description("Send a finished message once more, as a new one to the same recipient.");
  coreCommand<{ readonly idempotencyKey?: string }>(surroundings, command, async (context, options) => {
    const { core, account, args } = context;
    const { idempotencyKey = "" } = options;
    const { message } = await core.messages.resendMessage({
      id: args[0] ?? "",
      accountId: account,
      idempotencyKey,
    });
    if (!message) throw fault("internal.error", { internal: "the core answered without the message" });
    const { id, recipient, resentFrom } = message;
    return {
      json: messageJson(message),
      text: () => `The message ${resentFrom} is sent once more to ${printable(recipient)}, as ${id}.`,
    };
  });
}
