import type { Silence } from "../../api/silences.ts";
import type { Tone } from "../../parts/icons.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { t } from "../../texts/texts.ts";

const tones: Readonly<Record<string, Tone>> = { active: "warn", pending: "info" };

/** Whether a silence is in effect, will be, or has ended. */
export function SilenceState({ state }: Pick<Silence, "state">) {
  return <StateBadge tone={tones[state] ?? "idle"}>{t.silences.states[state] ?? state}</StateBadge>;
}
