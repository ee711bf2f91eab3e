import { Link } from "@tanstack/react-router";
import type { AlertDetails, StoredAlert } from "../../api/incidents.ts";
import { Answer } from "../../parts/answer.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { timeText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { conditionText } from "../alert-rules/condition-values.ts";

type RuleResult = AlertDetails["rules"][number];

const columns: readonly Column<RuleResult>[] = [
  {
    heading: t.incidents.rule,
    cell: ({ rule, version }) => (
      <Link
        to="/alert-rules/$name"
        params={{ name: rule }}
        search={{ tab: "versions", version }}
        className="main"
      >
        {t.incidents.ruleVersion(rule, version)}
      </Link>
    ),
    className: "main",
  },
  { heading: t.rules.verdict, cell: ({ reason }) => t.rules.reasons[reason] ?? reason, className: "wrap" },
  {
    heading: t.alerts.deciding,
    cell: ({ conditions }) => decidingText(conditions),
    className: "mono muted wrap grow wide-only",
  },
];

interface ResultsProps {
  readonly outcome: StoredAlert["outcome"];
  readonly rules: readonly RuleResult[];
}

/** The result of an alert, and of each rule that existed on its arrival. */
export function Results({ outcome, rules }: ResultsProps) {
  const { status, reasons, incident_ids: incidents, message_ids: messages } = outcome;
  const now = new Date();
  return (
    <>
      <Answer tone={status === "unmatched" ? "warn" : "info"}>
        <p>{t.alerts.outcomeTexts[status] ?? status}</p>
        {reasons.map(({ rule, reason, next_notification_at: next }) => (
          <p key={`${rule} ${reason}`}>
            <b>{rule}:</b> {t.alerts.reasons[reason] ?? reason}
            {next && ` ${t.alerts.nextAt(timeText(next, now, true))}`}
          </p>
        ))}
        <span className="row">
          {incidents.map((incidentId, index) => (
            <Link key={incidentId} to="/incidents/$incidentId" params={{ incidentId }} className="link">
              {t.alerts.incident(index + 1)}
            </Link>
          ))}
          {messages.map((messageId, index) => (
            <Link key={messageId} to="/messages/$messageId" params={{ messageId }} className="link">
              {t.incidents.message(index + 1)}
            </Link>
          ))}
        </span>
      </Answer>
      <section className="card" aria-labelledby="rules">
        <header>
          <h2 id="rules">{t.alerts.rulesThen}</h2>
        </header>
        {rules.length === 0 ? (
          <div className="body muted">{t.alerts.noRulesThen}</div>
        ) : (
          <Table label={t.alerts.rulesThen} columns={columns} rows={rules} rowKey={({ rule }) => rule} />
        )}
      </section>
    </>
  );
}

/** The conditions that are not true, or else those that are. */
function decidingText(conditions: RuleResult["conditions"]): string {
  const failing = conditions.filter(({ verdict }) => verdict !== "holds");
  return (failing.length > 0 ? failing : conditions).map(conditionText).join(", ");
}
