import type { Delivery, DeliveryAttempt } from "../../api/deliveries.ts";
import type { Tone } from "../../parts/icons.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { timeText } from "../../parts/time.tsx";
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

/** Whether the endpoint accepted the attempt. */
export const isAccepted = ({ status }: Pick<DeliveryAttempt, "status">): boolean =>
  status >= 200 && status < 300;
