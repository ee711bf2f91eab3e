import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type IncidentDetails, incidentQuery } from "../../api/incidents.ts";
import { Answer } from "../../parts/answer.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { AddNote } from "./add-note.tsx";
import { Facts } from "./facts.tsx";
import { Firing } from "./firing.tsx";
import { History } from "./history.tsx";
import { IncidentActions } from "./incident-actions.tsx";
import { IncidentState, Severity } from "./incident-state.tsx";
import { whatNow } from "./what-now.ts";

const route = getRouteApi("/inside/incidents/$incidentId");

/** An incident: what happens with it, its alerts, and everything that happened. */
export function IncidentPage() {
  const { incidentId } = route.useParams();
  const query = useQuery(incidentQuery(incidentId));
  return <StateView query={query}>{(details) => <IncidentView details={details} />}</StateView>;
}

function IncidentView({ details: { incident, firing, history } }: { readonly details: IncidentDetails }) {
  const now = whatNow(incident);
  return (
    <>
      <PageHead
        title={incident.title}
        detail={
          <span className="row">
            <IncidentState incident={incident} />
            <Severity severity={incident.severity} />
            <span>
              {t.incidents.opened} <Time at={incident.opened_at} withDay />
            </span>
          </span>
        }
        above={
          <Link to="/incidents" className="link">
            {t.incidents.title}
          </Link>
        }
      >
        <IncidentActions incident={incident} />
      </PageHead>
      <Answer tone={now.tone}>
        {now.texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </Answer>
      <div className="two">
        <div className="stack">
          <Firing firing={firing} count={incident.firing} incidentId={incident.id} />
          <section className="card" aria-labelledby="history">
            <header>
              <h2 id="history">{t.incidents.history}</h2>
            </header>
            <div className="body stack">
              <History entries={history} />
              <AddNote incidentId={incident.id} />
            </div>
          </section>
        </div>
        <Facts incident={incident} />
      </div>
    </>
  );
}
