import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Heartbeat } from "../../api/heartbeats.ts";
import { type RuleTestResult, ruleTestQuery, type TestedAlert } from "../../api/rules.ts";
import { StateView } from "../../parts/state-view.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";

/** The rules that notify the alert of a heartbeat: without one, no notice is sent. */
export function Notified({ heartbeat }: { readonly heartbeat: Heartbeat }) {
  const query = useQuery(ruleTestQuery(alertOf(heartbeat)));
  return (
    <section className="card" aria-labelledby="notified">
      <header>
        <h2 id="notified">{t.heartbeats.notified}</h2>
      </header>
      <StateView query={query}>{(result) => <Result result={result} />}</StateView>
    </section>
  );
}

function Result({ result }: { readonly result: RuleTestResult }) {
  const { notifying, dropped_by: droppedBy, muted_by: mutedBy } = result;
  const may = useMay();
  if (droppedBy) return <p className="body tight">{t.heartbeats.droppedBy(droppedBy)}</p>;
  if (notifying.length === 0)
    return (
      <div className="notice">
        <strong>{t.heartbeats.notNotified}</strong>
        <p className="muted">{t.heartbeats.notNotifiedDetail}</p>
        {may("alerts.write") && (
          <Link to="/alert-rules/-/new" className="link">
            {t.heartbeats.makeRule}
          </Link>
        )}
      </div>
    );
  return (
    <div className="body stack small-gap">
      <p className="tight">{t.heartbeats.notifiedBy}</p>
      {notifying.map((name) => (
        <div key={name}>
          <Link to="/alert-rules/$name" params={{ name }} className="link">
            {name}
          </Link>
        </div>
      ))}
      {mutedBy && <p className="muted tight">{t.heartbeats.muted[mutedBy] ?? mutedBy}</p>}
    </div>
  );
}

/** The alert that a missing ping raises, with the fields that alert rules match. */
function alertOf(heartbeat: Heartbeat): TestedAlert {
  const { id, name, severity, event_type, source, entity_id: entityId, tags } = heartbeat;
  const entity_type = entityId === null ? "heartbeat" : heartbeat.entity_type;
  return {
    event_type,
    severity: severity as TestedAlert["severity"],
    source,
    message: `No ping of "${name}"`,
    ...(entity_type !== null && { entity_type }),
    entity_id: entityId ?? name,
    dedup_key: id,
    context: { heartbeat_id: id, heartbeat: name, reason: "missed", ...(tags.length > 0 && { tags }) },
  };
}
