import type { Webhook, WebhookAttempts } from "../../api/webhooks.ts";
import type { Tone } from "../../parts/icons.tsx";
import { spanText, timeText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { rateText } from "../overview/rates.ts";

/** Time after which Hermod disables an endpoint that accepts nothing. */
const DISABLED_AFTER_MS = 5 * 86_400_000;
/** A receiver must answer within 15 seconds: a third of that is too close. */
const SLOW_MS = 5_000;

/** The state of an endpoint in one or two sentences. */
export interface Health {
  readonly tone: Tone;
  readonly sentences: readonly string[];
}

/** @param day requests of the last 24 hours; undefined: not loaded */
export function healthOf(
  { failing_since: since }: Pick<Webhook, "failing_since">,
  day: WebhookAttempts | undefined,
  now: Date,
): Health {
  const { health } = t.webhooks;
  if (since !== undefined) {
    const end = new Date(Date.parse(since) + DISABLED_AFTER_MS).toISOString();
    const sentences = [
      health.failing(timeText(since, now, true)),
      health.failingEnd(timeText(end, now, true)),
    ];
    return { tone: "bad", sentences };
  }
  if (day === undefined) return { tone: "idle", sentences: [] };
  const { count, accepted, durations } = day;
  if (count === 0) return { tone: "idle", sentences: [health.quiet] };
  const isSlow = durations !== undefined && durations.p95_ms > SLOW_MS;
  const slow = isSlow ? [health.slow(spanText(durations.p95_ms))] : [];
  if (accepted < count)
    return { tone: "warn", sentences: [health.partly(rateText(accepted, count), count), ...slow] };
  return { tone: isSlow ? "warn" : "ok", sentences: [health.accepted(count), ...slow] };
}
