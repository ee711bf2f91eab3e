import type { Tone } from "../../parts/icons.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { t } from "../../texts/texts.ts";

const tones: Readonly<Record<string, Tone>> = {
  delivered: "ok",
  deferred: "warn",
  bounced: "bad",
  complained: "bad",
  suppressed: "bad",
  expired: "bad",
  failed: "bad",
  captured: "info",
};

/** Tone of a state of messages. Unknown states are neutral. */
export const toneOf = (state: string): Tone => tones[state] ?? "idle";

export function MessageState({ state }: { readonly state: string }) {
  return <StateBadge tone={toneOf(state)}>{t.messages.states[state] ?? state}</StateBadge>;
}
