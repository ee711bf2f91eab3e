import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { Engagement, Message, MessageEvent } from "../../../gen/hermod/message/v1/message_service_pb.ts";
import { type Paint, paintState } from "./paint.ts";
import { alignRows } from "./table.ts";
import { plainTime, printable, span } from "./text.ts";

/** A message and its timeline, for people. */
export function describeMessage(paint: Paint, message: Message, timeline: readonly MessageEvent[]): string {
  const facts = alignRows(factsOf(message).map(([name, value]) => [`  ${paint("dim", name)}`, value]));
  const events = alignRows(timeline.map((event) => describeEvent(paint, message, event)));
  return [
    `${paint("bold", message.id)}  ${paintState(paint, message.state)}`,
    ...facts,
    "",
    paint("bold", "Timeline"),
    ...(events.length > 0 ? events : ["  No events yet."]),
    ...describeConversation(paint, timeline),
  ].join("\n");
}

/** SMTP conversation of the last attempt that has one. */
function describeConversation(paint: Paint, timeline: readonly MessageEvent[]): string[] {
  const last = timeline.findLast(({ conversation }) => conversation !== "");
  if (!last) return [];
  const lines = last.conversation.split("\n").map((line) => `  ${printable(line)}`);
  const title = `Conversation of attempt ${last.attempt}`;
  const { decidedBy, sourceAddress, durationMs } = last;
  const policy =
    decidedBy && `Policy ${decidedBy.policy}, revision ${decidedBy.policyRevision}. ${decidedBy.reason}`;
  const facts = [policy, sourceAddress && `From ${sourceAddress}.`].filter((fact) => fact);
  return [
    "",
    `${paint("bold", title)}  ${paint("dim", `${durationMs} ms`)}`,
    ...facts.map((fact) => `  ${paint("dim", printable(fact ?? ""))}`),
    ...lines,
  ];
}

/** Facts in this order, without empty ones. */
function factsOf(message: Message): [string, string][] {
  const facts: [string, string][] = [
    ["From", message.from],
    ["To", message.recipient],
    ["Subject", message.subject],
    ["Policy", message.routingPolicy],
    ["Template", message.template && `${message.template} version ${message.templateVersion}`],
    ["Source", message.source],
    ["Key", message.keyId],
    ["Resent from", message.resentFrom],
    ["Incident", message.incidentId],
    ["Trace id", message.traceId],
    ["Message-ID", message.headerMessageId],
    ["Tags", message.tags.join(", ")],
    ...Object.entries(message.metadata).map(([key, value]): [string, string] => [
      "Metadata",
      `${key} = ${value}`,
    ]),
    ["Accepted", plainTime(message.createdAt)],
    ["Attempts", String(message.attempts)],
    ["Opened", describeEngagement(message.opens)],
    ["Clicked", describeEngagement(message.clicks)],
    ["Next attempt", plainTime(message.nextAttemptAt)],
  ];
  return facts
    .map(([name, value]): [string, string] => [name, printable(value)])
    .filter(([, value]) => value !== "");
}

/** For example `3 times, 2 of them by programs`; empty when none is known. */
function describeEngagement(counted: Engagement | undefined): string {
  if (!counted) return "";
  const times = counted.count === 1 ? "once" : `${counted.count} times`;
  return counted.machineCount === 0 ? times : `${times}, ${counted.machineCount} of them by programs`;
}

/** Time since acceptance, event, transport, and reply of the server. */
function describeEvent(paint: Paint, message: Message, event: MessageEvent): string[] {
  const at =
    event.at && message.createdAt ? `+${span(timestampMs(event.at) - timestampMs(message.createdAt))}` : "";
  const attempt = event.attempt > 0 ? `attempt ${event.attempt}` : "";
  const reply = [event.replyCode || "", event.enhancedStatusCode, event.detail]
    .filter((part) => part !== "")
    .join(" ");
  const asked = event.nextAttemptReason === "server" ? ", as the server requested" : "";
  const next = event.nextAttemptAt ? `next attempt ${plainTime(event.nextAttemptAt)}${asked}` : "";
  const program = event.machineReason && `a program: ${event.machineReason}`;
  const hit = [program, event.proxy && `proxy of ${event.proxy}`, event.first ? "the first" : ""];
  const details = [printable(reply), ...hit.map(printable), next].filter((part) => part !== "").join("; ");
  return [
    `  ${plainTime(event.at)}`,
    paint("dim", at),
    paintState(paint, printable(event.kind)),
    attempt,
    printable(event.via),
    details,
  ];
}
