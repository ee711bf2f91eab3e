import { Link } from "@tanstack/react-router";
import type { IncidentDetails } from "../../api/incidents.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { Severity } from "./incident-state.tsx";

type FiringAlert = IncidentDetails["firing"][number];

const columns: readonly Column<FiringAlert>[] = [
  { heading: t.incidents.severity, cell: ({ latest }) => <Severity severity={latest.severity} /> },
  {
    heading: t.alerts.alert,
    cell: ({ latest }) => (
      <Link to="/alerts/$alertId" params={{ alertId: latest.alert_id }} className="main">
        {latest.message}
      </Link>
    ),
    className: "main wrap grow",
  },
  {
    heading: t.alerts.entity,
    cell: ({ latest }) => [latest.entity_type, latest.entity_id].filter(Boolean).join(" ") || latest.source,
    className: "muted wrap",
  },
  { heading: t.alerts.reports, cell: ({ count }) => numberText(count), className: "right num wide-only" },
  { heading: t.alerts.since, cell: ({ since }) => <Time at={since} withDay />, className: "right muted" },
];

interface FiringProps {
  readonly firing: readonly FiringAlert[];
  /** Number of all active alerts. */
  readonly count: number;
  readonly incidentId: string;
}

/** The active alerts of an incident. */
export function Firing({ firing, count, incidentId }: FiringProps) {
  return (
    <section className="card" aria-labelledby="firing">
      <header>
        <h2 id="firing">{t.incidents.firing}</h2>
        <Link to="/alerts" search={{ incident_id: incidentId }} className="link">
          {t.incidents.allAlerts}
        </Link>
      </header>
      {firing.length === 0 ? (
        <div className="body muted">{t.incidents.noneFiring}</div>
      ) : (
        <Table
          label={t.incidents.firing}
          columns={columns}
          rows={firing}
          rowKey={({ latest }) => latest.alert_id}
        />
      )}
      {count > firing.length && (
        <div className="body muted">{t.incidents.moreFiring(count - firing.length)}</div>
      )}
    </section>
  );
}
