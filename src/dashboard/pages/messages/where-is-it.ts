import type { Message, MessageEvent } from "../../api/messages.ts";
import { timeText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";

/** Says in one sentence where a message is, with the reason that the last event gives. */
export function whereIsIt(
  message: Pick<Message, "state" | "updated_at" | "next_attempt_at" | "send_at">,
  timeline: readonly MessageEvent[],
  now: Date,
): { readonly answer: string; readonly reason: string } {
  const last = timeline.findLast(({ detail, kind }) => detail !== "" && !isEngagement(kind));
  return { answer: answerOf(message, now), reason: last?.detail ?? "" };
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
      return next_attempt_at ? where.deferred(timeText(next_attempt_at, now, true)) : where.deferredNow;
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

const isEngagement = (kind: string) => kind === "opened" || kind === "clicked" || kind === "unsubscribed";
