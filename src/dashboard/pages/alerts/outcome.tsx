import type { StoredAlert } from "../../api/incidents.ts";
import type { Tone } from "../../parts/icons.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { t } from "../../texts/texts.ts";

const tones: Readonly<Record<string, Tone>> = { routed: "ok", suppressed: "idle", unmatched: "warn" };

/** The result of the rules on arrival, and the state that the alert reported. */
export function Outcome({ outcome, alert }: Pick<StoredAlert, "outcome" | "alert">) {
  const { status } = outcome;
  return (
    <span className="row">
      <StateBadge tone={tones[status] ?? "idle"}>{t.alerts.outcomes[status] ?? status}</StateBadge>
      {alert.status && alert.status !== "firing" && (
        <span className="muted">{t.alerts.statuses[alert.status] ?? alert.status}</span>
      )}
    </span>
  );
}
