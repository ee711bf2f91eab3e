import { Link } from "@tanstack/react-router";
import type { Incident } from "../../api/incidents.ts";
import { Time } from "../../parts/time.tsx";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";

/** The fields of an incident beside its history. */
export function Facts({ incident }: { readonly incident: Incident }) {
  const { id, rule, rule_version: version, assignee, since, alerts, occurrences, notices } = incident;
  const { last_notice_at: last, next_notice_at: next } = incident;
  return (
    <section className="card" aria-labelledby="facts">
      <header>
        <h2 id="facts">{t.common.details}</h2>
      </header>
      <div className="body">
        <dl className="facts">
          <dt>{t.incidents.rule}</dt>
          <dd>
            <Link
              to="/alert-rules/$name"
              params={{ name: rule }}
              search={{ tab: "versions", version }}
              className="link"
            >
              {t.incidents.ruleVersion(rule, version)}
            </Link>
          </dd>
          <dt>{t.incidents.assignee}</dt>
          <dd>{assignee?.email ?? t.incidents.nobody}</dd>
          <dt>{t.incidents.since}</dt>
          <dd>
            <Time at={since} withDay />
          </dd>
          <dt>{t.incidents.received}</dt>
          <dd>{t.incidents.receivedOf(numberText(alerts), numberText(occurrences))}</dd>
          <dt>{t.incidents.notices}</dt>
          <dd>{numberText(notices)}</dd>
          {last && (
            <>
              <dt>{t.incidents.lastNotice}</dt>
              <dd>
                <Time at={last} withDay />
              </dd>
            </>
          )}
          {next && (
            <>
              <dt>{t.incidents.nextNoticeAt}</dt>
              <dd>
                <Time at={next} withDay />
              </dd>
            </>
          )}
          <dt>{t.incidents.id}</dt>
          <dd className="mono">{id}</dd>
        </dl>
      </div>
    </section>
  );
}
