import type { Incident } from "../../api/incidents.ts";
import type { Tone } from "../../parts/icons.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { t } from "../../texts/texts.ts";

const stateTones: Readonly<Record<string, Tone>> = { open: "bad", acknowledged: "warn", resolved: "ok" };
const severityTones: Readonly<Record<string, Tone>> = { critical: "bad", warning: "warn", info: "info" };

/** The state of an incident. A snoozed one is open, and its notices wait. */
export function IncidentState({
  incident,
}: {
  readonly incident: Pick<Incident, "state" | "snoozed_until">;
}) {
  const { state, snoozed_until: until } = incident;
  if (state !== "resolved" && until) return <StateBadge tone="idle">{t.incidents.snoozed}</StateBadge>;
  return <StateBadge tone={stateTones[state] ?? "idle"}>{t.incidents.states[state] ?? state}</StateBadge>;
}

export function Severity({ severity }: { readonly severity: string }) {
  return (
    <StateBadge tone={severityTones[severity] ?? "idle"}>
      {t.incidents.severities[severity] ?? severity}
    </StateBadge>
  );
}
