import type { Delivery, DeliveryAttempt } from "../../api/deliveries.ts";
import type { Tone } from "../../parts/icons.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { timeText } from "../../parts/time.tsx";
import { sentenceText } from "../../texts/sentence-text.ts";
import { t } from "../../texts/texts.ts";

const tones: Readonly<Record<string, Tone>> = { delivered: "ok", pending: "warn", failed: "bad" };

/** Color of a delivery's state. */
export const deliveryTone = ({ state }: Pick<Delivery, "state">): Tone => tones[state] ?? "idle";

export function DeliveryState({ delivery }: { readonly delivery: Pick<Delivery, "state"> }) {
  return (
    <StateBadge tone={deliveryTone(delivery)}>
      {t.deliveries.states[delivery.state] ?? delivery.state}
    </StateBadge>
  );
}

/** The state of a delivery as a sentence. */
export function deliverySentence({ state, due_at, ended_at }: Delivery, now: Date): string {
  const { says } = t.deliveries;
  const text = (at: string) => timeText(at, now, true);
  if (state === "pending")
    return due_at !== undefined && Date.parse(due_at) > now.getTime() ? says.pending(text(due_at)) : says.due;
  if (state === "delivered" && ended_at !== undefined) return says.delivered(text(ended_at));
  if (state === "failed") return says.failed;
  return state === "dropped" ? says.dropped : says.other(state);
}

/** Result of an attempt. */
export function attemptText({ detail, detail_parts }: DeliveryAttempt): string {
  return sentenceText(detail_parts, detail);
}

/** Reason for the end of a delivery; empty if an attempt shows it. */
export function endText({
  end_reason,
  end_reason_parts,
}: Pick<Delivery, "end_reason" | "end_reason_parts">): string {
  return sentenceText(end_reason_parts, end_reason);
}

/** Whether the endpoint accepted the attempt. */
export const isAccepted = ({ status }: Pick<DeliveryAttempt, "status">): boolean =>
  status >= 200 && status < 300;
