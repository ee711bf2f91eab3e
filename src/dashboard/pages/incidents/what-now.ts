import type { Incident } from "../../api/incidents.ts";
import type { Tone } from "../../parts/icons.tsx";
import { timeText } from "../../parts/time.tsx";
import { sentenceText } from "../../texts/sentence-text.ts";
import { t } from "../../texts/texts.ts";

export interface WhatNow {
  readonly tone: Tone;
  /** Sentences: the state, then what keeps notices from being sent. */
  readonly texts: readonly string[];
}

/** The state of an incident and its next notice, in a few sentences. */
export function whatNow(incident: Incident, now = new Date()): WhatNow {
  const { state, trouble, held_by: heldBy, flapping } = incident;
  const [tone, text] = stateOf(incident, now);
  const texts = [
    text,
    ...(state !== "resolved" && heldBy ? [t.incidents.heldBy[heldBy] ?? heldBy] : []),
    ...(flapping ? [t.incidents.flapping] : []),
    ...(trouble ? [t.incidents.trouble(trouble)] : []),
  ];
  return { tone: trouble ? "bad" : tone, texts };
}

function stateOf(incident: Incident, now: Date): readonly [Tone, string] {
  const { state, snoozed_until: until, next_notice_at: next } = incident;
  const at = (moment: string) => timeText(moment, now, true);
  if (state === "resolved")
    return ["ok", resolvedText(incident, at(incident.resolved_at ?? incident.updated_at))];
  if (until) return ["info", t.incidents.isSnoozed(at(until), incident.snoozed_by)];
  if (state === "acknowledged")
    return [
      "warn",
      t.incidents.isAcknowledged(
        at(incident.acknowledged_at ?? incident.updated_at),
        incident.acknowledged_by,
      ),
    ];
  return ["bad", next ? t.incidents.nextNotice(at(next)) : t.incidents.isOpen];
}

/** An actor has resolved the incident, or Hermod has, for a reason. */
function resolvedText({ resolved_by: by, resolved_by_parts: parts = [] }: Incident, at: string): string {
  return parts.length > 0
    ? t.incidents.isResolvedBecause(at, sentenceText(parts, by))
    : t.incidents.isResolved(at, by);
}
