import type { Tone } from "../../parts/icons.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { t } from "../../texts/texts.ts";

const tones: Readonly<Record<string, Tone>> = {
  healthy: "ok",
  warning: "warn",
  critical: "bad",
  error: "warn",
};

/** Tone of the status of a domain. An unknown status is neutral. */
export const watchTone = (status: string): Tone => tones[status] ?? "idle";

export function WatchState({ status }: { readonly status: string }) {
  return <StateBadge tone={watchTone(status)}>{t.intel.statuses[status] ?? status}</StateBadge>;
}

const resultTones: Readonly<Record<string, Tone>> = { pass: "ok", warn: "warn", fail: "bad", error: "warn" };

/** The result of a check. */
export function CheckResult({ status }: { readonly status: string }) {
  return <StateBadge tone={resultTones[status] ?? "idle"}>{t.watches.results[status] ?? status}</StateBadge>;
}
