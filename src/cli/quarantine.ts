import {
  type MessageEvent,
  MessageEventSchema,
  type QuarantinedMessage,
  QuarantinedMessageSchema,
} from "../../gen/hermod/message/v1/message_service_pb.ts";
import { commandGroup } from "./core-command.ts";
import { listCommand } from "./list-command.ts";
import { messageJson } from "./output/json.ts";
import type { Paint } from "./output/paint.ts";
import { alignRows } from "./output/table.ts";
import { plainTime, printable, shortened } from "./output/text.ts";
import { showCommand } from "./show-command.ts";

/** `hermod message quarantine` */
export const quarantine = commandGroup(
  "quarantine",
  "Waiting messages in quarantine because they cannot be read.",
  () => [messageQuarantineList, messageQuarantineShow, messageQuarantineRelease, messageQuarantineDrop],
);

const MESSAGE = ["<id>", "id of the message (msg_…)"] as const;

/** `hermod message quarantine list`: in the order of acceptance. */
const messageQuarantineList = listCommand({
  description: "List messages in quarantine, of all accounts or of the one in --account.",
  limit: 50,
  call: ({ core, account, page }) => core.messages.listQuarantinedMessages({ accountId: account, ...page }),
  of: "messages",
  schema: QuarantinedMessageSchema,
  columns: [
    ["ID", ({ id }) => printable(id)],
    ["SINCE", ({ quarantinedAt }) => plainTime(quarantinedAt)],
    ["RECIPIENT", ({ recipient }) => shortened(printable(recipient), 40)],
    ["REASON", ({ reason }) => shortened(printable(reason), 70)],
  ],
  none: "There are no messages in quarantine.",
});

/** `hermod message quarantine show`: the readable and the unreadable fields of a message. */
const messageQuarantineShow = showCommand({
  name: "show",
  description: "Show the readable fields of a message in quarantine, and the reason.",
  arguments: [MESSAGE],
  call: ({ core, account, args: [id = ""] }) =>
    core.messages.getQuarantinedMessage({ id, accountId: account }),
  of: "message",
  schema: QuarantinedMessageSchema,
  also: ({ timeline }) => ({ timeline: timeline.map((event) => messageJson(MessageEventSchema, event)) }),
  text: (message, { paint, answer: { timeline } }) => describe(paint, message, timeline),
});

function describe(paint: Paint, message: QuarantinedMessage, timeline: readonly MessageEvent[]): string {
  const facts = [
    ["Reason", message.reason],
    ["Since", plainTime(message.quarantinedAt)],
    ["Account", message.accountId],
    ["Trace id", message.traceId],
    ["From", message.from],
    ["To", message.recipient],
    ["Subject", message.subject],
  ].map(([name = "", value = ""]) => [
    `  ${paint("dim", name)}`,
    printable(value) || paint("dim", "unreadable"),
  ]);
  const events = timeline.map(({ at, kind, detail }) => [
    `  ${plainTime(at)}`,
    printable(kind),
    printable(detail),
  ]);
  return [
    `${paint("bold", printable(message.id))}  ${paint("red", "in quarantine")}`,
    ...alignRows(facts),
    "",
    paint("bold", "Timeline"),
    ...alignRows(events),
  ].join("\n");
}

/** `hermod message quarantine release`: returns a message to the queue. */
const messageQuarantineRelease = showCommand({
  name: "release",
  description: "Return a repaired message to the queue.",
  arguments: [MESSAGE],
  call: ({ core, account, args: [id = ""] }) =>
    core.messages.releaseQuarantinedMessage({ id, accountId: account }),
  of: "message",
  schema: QuarantinedMessageSchema,
  text: ({ id }) => `Released the message ${printable(id)}: it is due now.`,
});

/** `hermod message quarantine drop`: ends a message without delivery. */
const messageQuarantineDrop = showCommand({
  name: "drop",
  description: "Drop a message that cannot be read. It is never delivered.",
  arguments: [MESSAGE],
  call: ({ core, account, args: [id = ""] }) =>
    core.messages.dropQuarantinedMessage({ id, accountId: account }),
  of: "message",
  schema: QuarantinedMessageSchema,
  text: ({ id }) => `Dropped the message ${printable(id)}: it is never delivered.`,
});
