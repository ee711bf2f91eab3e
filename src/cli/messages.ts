import { Option } from "commander";
import { MessageEventSchema, MessageSchema } from "../../gen/hermod/message/v1/message_service_pb.ts";
import { bulkMessages } from "./bulk-messages.ts";
import { commandGroup, coreCommand } from "./core-command.ts";
import { messageCount, messageLatency } from "./count-messages.ts";
import { MESSAGE_FILTER, type MessageFilterOptions, messageFilterOf } from "./input/message-filter.ts";
import { listCommand } from "./list-command.ts";
import { messageSource } from "./message-source.ts";
import { describeMessage } from "./output/describe-message.ts";
import { messageJson } from "./output/json.ts";
import { paintState } from "./output/paint.ts";
import { plainTime, printable, shortened } from "./output/text.ts";
import { writeParts } from "./output/write-parts.ts";
import { quarantine } from "./quarantine.ts";
import { showCommand } from "./show-command.ts";
import { messageTail } from "./tail-messages.ts";

/** `hermod message`, including the quarantine. */
export const messages = commandGroup("message", "Show, export, cancel, retry and resend messages.", () => [
  messageShow,
  messageSource,
  messageList,
  messageExport,
  messageCount,
  messageLatency,
  messageTail,
  messageCancel,
  messageRetry,
  messageResend,
  bulkMessages,
  quarantine,
]);

const MESSAGE = ["<id>", "id of the message (msg_…)"] as const;

/** `hermod message show`: a message and its timeline. */
const messageShow = showCommand({
  name: "show",
  description: "Show a message and its timeline.",
  arguments: [["<id>", "id (msg_…) or trace id (sx_…) of the message"]],
  call: ({ core, account, args: [id = ""] }) => core.messages.getMessage({ id, accountId: account }),
  of: "message",
  schema: MessageSchema,
  also: ({ timeline }) => ({ timeline: timeline.map((event) => messageJson(MessageEventSchema, event)) }),
  text: (message, { paint, answer: { timeline } }) => describeMessage(paint, message, timeline),
});

/** `hermod message list`: newest first. */
const messageList = listCommand({
  description: "List messages, newest first: all messages, or those that match every filter.",
  options: MESSAGE_FILTER,
  limit: 50,
  call: ({ core, account, page }, options: MessageFilterOptions) =>
    core.messages.listMessages({ accountId: account, filter: messageFilterOf(options), ...page }),
  of: "messages",
  schema: MessageSchema,
  columns: [
    ["ID", ({ id }) => id],
    ["STATE", ({ state }, paint) => paintState(paint, state)],
    ["CREATED", ({ createdAt }) => plainTime(createdAt)],
    ["RECIPIENT", ({ recipient }) => shortened(printable(recipient), 40)],
    ["ATTEMPTS", ({ attempts }) => attempts],
    ["SUBJECT", ({ subject }) => shortened(printable(subject), 50)],
  ],
  none: "No messages match.",
});

/** `hermod message export`: streams the export, so that its size is unlimited. */
const messageExport = coreCommand(
  {
    name: "export",
    description:
      "Write messages to standard output, newest first: all messages, or those that match every filter.",
    options: [
      ...MESSAGE_FILTER,
      new Option("--format <format>", "format of the export").choices(["csv", "ndjson"]).default("csv"),
    ],
  },
  ({ core, account, isJson, environment }, options: MessageFilterOptions & { readonly format: string }) => {
    const { format, ...filter } = options;
    const asked = { filter: messageFilterOf(filter), format: isJson ? "ndjson" : format };
    return writeParts(environment.out, core.messages.exportMessages({ accountId: account, ...asked }));
  },
);

/** `hermod message cancel`: before its delivery. */
const messageCancel = showCommand({
  name: "cancel",
  description: "Cancel a message that is not delivered yet.",
  arguments: [MESSAGE],
  call: ({ core, account, args: [id = ""] }) => core.messages.cancelMessage({ id, accountId: account }),
  of: "message",
  schema: MessageSchema,
  text: ({ id, recipient }) => `Cancelled the message ${id} to ${printable(recipient)}.`,
});

/** `hermod message retry`: makes the next attempt now. */
const messageRetry = showCommand({
  name: "retry",
  description: "Retry a deferred message now.",
  arguments: [MESSAGE],
  call: ({ core, account, args: [id = ""] }) => core.messages.retryMessage({ id, accountId: account }),
  of: "message",
  schema: MessageSchema,
  text: ({ id, recipient }) => `The message ${id} to ${printable(recipient)} is due now.`,
});

/** `hermod message resend`: as a new message. */
const messageResend = showCommand({
  name: "resend",
  description: "Resend a finished message as a new message to the same recipient.",
  arguments: [MESSAGE],
  options: [["--idempotency-key <key>", "repeated requests with the same key resend the message only once"]],
  call: ({ core, account, args: [id = ""] }, { idempotencyKey = "" }: { idempotencyKey?: string }) =>
    core.messages.resendMessage({ id, accountId: account, idempotencyKey }),
  of: "message",
  schema: MessageSchema,
  text: ({ id, recipient, resentFrom }) =>
    `Resending the message ${resentFrom} to ${printable(recipient)} as ${id}.`,
});
