import type { Heartbeat } from "../../api/heartbeats.ts";
import type { Tone } from "../../parts/icons.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { spanText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";

const tones: Readonly<Record<string, Tone>> = {
  new: "info",
  up: "ok",
  late: "warn",
  down: "bad",
  paused: "idle",
};

/** The state at a time: between two reloads, a heartbeat becomes late. */
export function stateAt({ state, next_due_at: due }: Pick<Heartbeat, "state" | "next_due_at">, now: Date) {
  return state === "up" && due !== null && Date.parse(due) <= now.getTime() ? "late" : state;
}

interface HeartbeatStateProps {
  readonly heartbeat: Heartbeat;
  readonly now: Date;
}

export function HeartbeatState({ heartbeat, now }: HeartbeatStateProps) {
  const state = stateAt(heartbeat, now);
  const hasFailed = state === "down" && heartbeat.down_reason === "failed";
  return (
    <StateBadge tone={tones[state] ?? "idle"}>
      {hasFailed ? t.heartbeats.failed : (t.heartbeats.states[state] ?? state)}
    </StateBadge>
  );
}

/** The expected times in a few words. */
export function scheduleText({ period_seconds: seconds, cron, timezone }: Heartbeat): string {
  if (seconds !== null) return t.heartbeats.every(spanText(seconds * 1_000));
  return t.heartbeats.inZone(cron ?? "", timezone ?? "UTC");
}
