import type { Target, TargetDelivery } from "../../api/targets.ts";
import type { Tone } from "../../parts/icons.tsx";
import { timeText } from "../../parts/time.tsx";
import { sentenceText } from "../../texts/sentence-text.ts";
import { t } from "../../texts/texts.ts";
import { adviceFor } from "./advice.ts";

interface WhatNow {
  readonly tone: Tone;
  /** Sentences: the state, then what follows. */
  readonly texts: readonly string[];
}

/**
 * The state of a target and what to do about it.
 * @param deliveries latest notices, newest first; undefined: they are not loaded
 */
export function whatNow(
  target: Target,
  deliveries: readonly TargetDelivery[] | undefined,
  now: Date,
): WhatNow {
  const { kind, state, last_delivered_at: deliveredAt, last_failed_at: failedAt } = target;
  const at = (moment: string) => timeText(moment, now, true);
  if (state === "failing" && failedAt !== undefined) {
    const failed = deliveries?.find((one) => one.attempts > 0 && one.state !== "delivered");
    const next = deliveries?.find((one) => one.state === "pending" && one.due_at !== undefined)?.due_at;
    return {
      tone: "bad",
      texts: [
        failed && failed.status > 0
          ? t.targets.failedWith(at(failedAt), failed.status)
          : t.targets.failed(at(failedAt), sentenceText(target.last_failure_parts, target.last_failure)),
        ...(failed ? [adviceFor(kind, failed.status)] : []),
        ...(next === undefined ? [] : [t.targets.nextAttempt(at(next))]),
      ],
    };
  }
  if (deliveredAt !== undefined) return { tone: "ok", texts: [t.targets.works(at(deliveredAt))] };
  return { tone: "info", texts: [t.targets.unused, t.targets.unusedDetail] };
}
