import { Link } from "@tanstack/react-router";
import type { Heartbeat } from "../../api/heartbeats.ts";
import { Fact } from "../../parts/fact.tsx";
import { spanText, Time, timeText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { scheduleText } from "./heartbeat-state.tsx";

/** The fields of a heartbeat beside its pings. */
export function Facts({ heartbeat }: { readonly heartbeat: Heartbeat }) {
  const { id, grace_seconds: graceSeconds, severity, event_type: eventType, source, tags } = heartbeat;
  const { last_success_at: lastSuccess, duration_ms: durationMs, token_prefix: prefix, name } = heartbeat;
  return (
    <section className="card" aria-labelledby="facts">
      <header>
        <h2 id="facts">{t.common.details}</h2>
        {/* The text of the alert has the name, by default also as its entity. */}
        <Link to="/alerts" search={{ source, text: heartbeat.entity_id ?? name }} className="link">
          {t.heartbeats.alertsLink}
        </Link>
      </header>
      <div className="body">
        <dl className="facts">
          <Fact name={t.heartbeats.expected}>{scheduleText(heartbeat)}</Fact>
          <Fact name={t.heartbeats.grace}>{spanText(graceSeconds * 1_000)}</Fact>
          {lastSuccess && (
            <Fact name={t.heartbeats.lastSuccess}>
              <Time at={lastSuccess} withDay />
            </Fact>
          )}
          {durationMs !== null && <Fact name={t.heartbeats.lastDuration}>{spanText(durationMs)}</Fact>}
          <Fact name={t.heartbeats.severity}>{t.incidents.severities[severity] ?? severity}</Fact>
          <Fact name={t.heartbeats.alertFields}>{t.heartbeats.ofAlert(eventType, source)}</Fact>
          {tags.length > 0 && (
            <Fact name={t.heartbeats.tags}>
              <span className="row">
                {tags.map((tag) => (
                  <Link key={tag} to="/heartbeats" search={{ tag }} className="link">
                    {tag}
                  </Link>
                ))}
              </span>
            </Fact>
          )}
          <Fact name={t.heartbeats.token}>
            {t.heartbeats.tokenOf(prefix, timeText(heartbeat.token_created_at, new Date(), true))}
          </Fact>
          <Fact name={t.heartbeats.id}>
            <span className="mono">{id}</span>
          </Fact>
        </dl>
      </div>
    </section>
  );
}
