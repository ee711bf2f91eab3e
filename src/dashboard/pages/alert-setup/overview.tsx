import { Link } from "@tanstack/react-router";
import { PageHead } from "../../parts/page-head.tsx";
import { Row } from "../../parts/row-list.tsx";
import { t } from "../../texts/texts.ts";
import { sources } from "./sources.ts";

/** The sources of alerts with a guide. */
export function AlertSetupPage() {
  return (
    <>
      <PageHead
        title={t.alertSetup.title}
        detail={t.alertSetup.detail}
        above={
          <Link to="/alerts" className="link">
            {t.alerts.title}
          </Link>
        }
      />
      <section className="card" aria-label={t.alertSetup.title}>
        <ul className="entries">
          {sources.map((source) => (
            <Row
              key={source}
              title={
                <Link to="/alerts/set-up/$source" params={{ source }} className="link">
                  {t.alertSetup.names[source]}
                </Link>
              }
              detail={t.alertSetup.details[source]}
            />
          ))}
        </ul>
      </section>
      <p className="muted tight">
        {t.alertSetup.silent}{" "}
        <Link to="/heartbeats" className="link">
          {t.heartbeats.title}
        </Link>
      </p>
    </>
  );
}
