import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type AlertDetails, alertQuery } from "../../api/incidents.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { Time } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { Severity } from "../incidents/incident-state.tsx";
import { Outcome } from "./outcome.tsx";
import { Results } from "./results.tsx";

const route = getRouteApi("/inside/alerts/$alertId");

/** An alert: what it says, what became of it, and the reason of each rule. */
export function AlertPage() {
  const { alertId } = route.useParams();
  const query = useQuery(alertQuery(alertId));
  return <StateView query={query}>{(details) => <AlertView details={details} />}</StateView>;
}

function AlertView({ details: { alert: stored, rules } }: { readonly details: AlertDetails }) {
  const { id, alert, outcome, received_at: receivedAt, trace_id: traceId, key_id: keyId } = stored;
  const may = useMay();
  return (
    <>
      <PageHead
        title={alert.message}
        detail={
          <span className="row">
            <Severity severity={alert.severity} />
            <Outcome outcome={outcome} alert={alert} />
            <span>
              {t.alerts.received} <Time at={receivedAt} withDay />
            </span>
          </span>
        }
        above={
          <Link to="/alerts" className="link">
            {t.alerts.title}
          </Link>
        }
      >
        {may("alerts.write") && (
          <Button
            variant={outcome.status === "unmatched" ? "filled" : "default"}
            renderRoot={(props) => <Link to="/alert-rules/-/new" search={{ alert: id }} {...props} />}
          >
            {t.alerts.makeRule}
          </Button>
        )}
      </PageHead>
      <div className="two">
        <div className="stack">
          <Results outcome={outcome} rules={rules} />
        </div>
        <section className="card" aria-labelledby="facts">
          <header>
            <h2 id="facts">{t.common.details}</h2>
          </header>
          <div className="body">
            <dl className="facts">
              <dt>{t.alerts.traceId}</dt>
              <dd className="mono">{traceId}</dd>
              {keyId && (
                <>
                  <dt>{t.alerts.key}</dt>
                  <dd>
                    <Link to="/keys/$keyId" params={{ keyId }} className="link mono">
                      {keyId}
                    </Link>
                  </dd>
                </>
              )}
              <dt>{t.alerts.content}</dt>
              <dd>
                <pre className="smtp wrapped">{JSON.stringify(alert, null, 2)}</pre>
              </dd>
            </dl>
          </div>
        </section>
      </div>
    </>
  );
}
