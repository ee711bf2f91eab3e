import type { Message, MessageEvent } from "../../api/messages.ts";
import { spanText, timeText } from "../../parts/time.tsx";
import { sentenceText } from "../../texts/sentence-text.ts";
import { t } from "../../texts/texts.ts";

/** Describes the state of a message in one sentence, with the reason from the last event. */
export function whereIsIt(
  message: Pick<Message, "state" | "updated_at" | "next_attempt_at" | "send_at">,
  timeline: readonly MessageEvent[],
  now: Date,
): { readonly answer: string; readonly reason: string } {
  const last = timeline.findLast(({ detail, kind }) => detail !== "" && !isEngagement(kind));
  return { answer: answerOf(message, now), reason: last ? sentenceText(last.detail_parts, last.detail) : "" };
}

function answerOf(
  { state, updated_at, next_attempt_at, send_at }: Parameters<typeof whereIsIt>[0],
  now: Date,
): string {
  const { where } = t.message;
  switch (state) {
    case "delivered":
      return where.delivered(timeText(updated_at, now, true));
    case "scheduled":
      return where.scheduled(timeText(send_at ?? updated_at, now, true));
    case "deferred":
      return next_attempt_at ? nextText(next_attempt_at, now) : where.deferredNow;
    case "captured":
    case "queued":
    case "bounced":
    case "complained":
    case "suppressed":
    case "expired":
    case "failed":
    case "cancelled":
      return where[state];
    default:
      return where.other(state);
  }
}

function nextText(at: string, now: Date): string {
  const waitMs = Date.parse(at) - now.getTime();
  if (waitMs < 1_000) return t.message.where.due;
  // Whole seconds: the sentence is read during the countdown.
  return t.message.where.deferred(timeText(at, now, true), wholeSpanText(waitMs));
}

const wholeSpanText = (ms: number) =>
  ms < 60_000 ? `${Math.floor(ms / 1_000)} s` : spanText(Math.floor(ms / 1_000) * 1_000);

const isEngagement = (kind: string) => kind === "opened" || kind === "clicked" || kind === "unsubscribed";
