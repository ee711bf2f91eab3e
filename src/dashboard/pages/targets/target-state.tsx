import type { Target } from "../../api/targets.ts";
import type { Tone } from "../../parts/icons.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { t } from "../../texts/texts.ts";

const tones: Readonly<Record<string, Tone>> = { unused: "idle", working: "ok", failing: "bad" };

export function TargetState({ target: { state } }: { readonly target: Pick<Target, "state"> }) {
  return <StateBadge tone={tones[state] ?? "idle"}>{t.targets.states[state] ?? state}</StateBadge>;
}

export const kindText = ({ kind }: Pick<Target, "kind">): string => t.targets.kinds[kind] ?? kind;
