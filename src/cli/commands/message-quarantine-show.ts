import type { Command } from "commander";
import type { MessageEvent, QuarantinedMessage } from "../../../gen/hermod/message/v1/message_service_pb.ts";
import { fault } from "../../shared/fault.ts";
import { coreCommand } from "../core-command.ts";
import type { Paint } from "../output/paint.ts";
import { printable } from "../output/printable.ts";
import { alignRows } from "../output/table.ts";
import { plainTime } from "../output/time.ts";
import { eventJson } from "../resources/message.ts";
import { quarantinedJson } from "../resources/quarantined-message.ts";
import type { Surroundings } from "../surroundings.ts";

/** `hermod message quarantine show`: what can be read of a message, and what cannot. */
export function messageQuarantineShow(parent: Command, surroundings: Surroundings): void {
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
