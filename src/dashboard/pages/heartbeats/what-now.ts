import type { Heartbeat } from "../../api/heartbeats.ts";
import type { Tone } from "../../parts/icons.tsx";
import { timeText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { stateAt } from "./heartbeat-state.tsx";

export interface WhatNow {
  readonly tone: Tone;
  /** Sentences: the state, then what follows. */
  readonly texts: readonly string[];
}

/** The state of a heartbeat and its next deadline, in a few sentences. */
export function whatNow(heartbeat: Heartbeat, now: Date): WhatNow {
  const { started_at: startedAt, excused_at: excusedAt } = heartbeat;
  const at = (moment: string) => timeText(moment, now, true);
  const { tone, texts } = stateTexts(heartbeat, now, at);
  return {
    tone,
    texts: [
      ...texts,
      ...(startedAt ? [t.heartbeats.isRunning(at(startedAt))] : []),
      ...(excusedAt ? [t.heartbeats.isExcused(at(excusedAt))] : []),
    ],
  };
}

function stateTexts(heartbeat: Heartbeat, now: Date, at: (moment: string) => string): WhatNow {
  const { next_due_at: due, alert_at: deadline, last_success_at: last, down_since: since } = heartbeat;
  switch (stateAt(heartbeat, now)) {
    case "paused":
      return { tone: "idle", texts: [t.heartbeats.isPaused] };
    case "down": {
      const text = heartbeat.down_reason === "failed" ? t.heartbeats.isFailed : t.heartbeats.isMissed;
      return { tone: "bad", texts: [text(at(since ?? heartbeat.updated_at))] };
    }
    case "late":
      return { tone: "warn", texts: due && deadline ? [t.heartbeats.isLate(at(due), at(deadline))] : [] };
    case "up":
      return {
        tone: "ok",
        texts: [
          ...(last ? [t.heartbeats.isUp(at(last))] : []),
          ...(due && deadline ? [t.heartbeats.nextDue(at(due), at(deadline))] : []),
        ],
      };
    default:
      return { tone: "info", texts: [t.heartbeats.isNew, t.heartbeats.isNewDetail] };
  }
}
