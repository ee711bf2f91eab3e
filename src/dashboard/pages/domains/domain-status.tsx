import type { Tone } from "../../parts/icons.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { t } from "../../texts/texts.ts";

const tones: Readonly<Record<string, Tone>> = {
  verified: "ok",
  verifying: "warn",
  unverified: "idle",
  degraded: "warn",
  failed: "bad",
};

/** Tone of a domain's status. An unknown status is neutral. */
export const domainTone = (status: string): Tone => tones[status] ?? "idle";

export function DomainStatus({ status }: { readonly status: string }) {
  return <StateBadge tone={domainTone(status)}>{t.domains.statuses[status] ?? status}</StateBadge>;
}
