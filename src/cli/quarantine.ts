import type { Command } from "commander";
import type { MessageEvent, QuarantinedMessage } from "../../gen/hermod/message/v1/message_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { coreCommand } from "./core-command.ts";
import { LIMIT_MAX, readLimit } from "./input/read-options.ts";
import { eventJson } from "./output/describe-message.ts";
import type { Paint } from "./output/paint.ts";
import { alignRows, table } from "./output/table.ts";
import { isoTime, listJson, plainTime, printable, shortened } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod message quarantine` */
export function quarantine(message: Command, surroundings: Surroundings): void {
  const group = message
    .command("quarantine")
    .description("Waiting messages that cannot be read and were kept aside.");
  messageQuarantineList(group, surroundings);
  messageQuarantineShow(group, surroundings);
  messageQuarantineRelease(group, surroundings);
  messageQuarantineDrop(group, surroundings);
}

interface Options {
  readonly limit: number;
  readonly cursor?: string;
}

const heading = ["ID", "SINCE", "RECIPIENT", "REASON"];

/** `hermod message quarantine list`: the earliest accepted first. */
function messageQuarantineList(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("list")
    .description("List waiting messages that cannot be read, of all accounts unless one is named.")
    .option("--limit <count>", `how many, 1 to ${LIMIT_MAX}`, readLimit, 50)
    .option("--cursor <cursor>", "go on behind an earlier list: its next_cursor");
  coreCommand<Options>(surroundings, command, async ({ core, account, paint }, { limit, cursor = "" }) => {
    const { messages, nextPageToken } = await core.messages.listQuarantinedMessages({
      accountId: account,
      pageSize: limit,
      pageToken: cursor,
    });
    const rows = messages.map((message) => [
      printable(message.id),
      plainTime(message.quarantinedAt),
      shortened(printable(message.recipient), 40),
      shortened(printable(message.reason), 70),
    ]);
    return {
      json: listJson(messages.map(quarantinedJson), nextPageToken),
      text: () => table(paint, heading, rows, "There are no messages in quarantine."),
      ...(nextPageToken !== "" && { note: `There are more: --cursor ${nextPageToken}` }),
    };
  });
}

/** `hermod message quarantine show`: what can be read of a message, and what cannot. */
function messageQuarantineShow(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("show")
    .argument("<id>", "a message id (msg_…)")
    .description("Show what can be read of a message in quarantine, and why it is there.");
  coreCommand(surroundings, command, async ({ core, account, paint, args: [id = ""] }) => {
    const { message, timeline } = await core.messages.getQuarantinedMessage({ id, accountId: account });
    if (!message) throw fault("internal.error", { internal: "the core answered without the message" });
    return {
      json: { ...quarantinedJson(message), timeline: timeline.map(eventJson) },
      text: () => describe(paint, message, timeline),
    };
  });
}

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
    printable(value) || paint("dim", "cannot be read"),
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

/** `hermod message quarantine release`: puts a message back into the queue. */
function messageQuarantineRelease(parent: Command, surroundings: Surroundings): void {
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

/** `hermod message quarantine drop`: gives a message up. */
function messageQuarantineDrop(parent: Command, surroundings: Surroundings): void {
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

/** A message that is kept aside, as `--json` writes it; what cannot be read is null. */
function quarantinedJson(message: QuarantinedMessage) {
  return {
    id: message.id,
    reason: message.reason,
    quarantined_at: isoTime(message.quarantinedAt),
    account_id: message.accountId || null,
    sx_trace_id: message.traceId || null,
    from: message.from || null,
    recipient: message.recipient || null,
    subject: message.subject || null,
  };
}
