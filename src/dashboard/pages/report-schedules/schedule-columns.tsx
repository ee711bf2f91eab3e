import { Link } from "@tanstack/react-router";
import type { Schedule } from "../../api/schedules.ts";
import { StateBadge } from "../../parts/state-badge.tsx";
import type { Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { faultText } from "../../texts/fault-text.ts";
import { t } from "../../texts/texts.ts";

/** The days of a schedule, as `Mondays at 8:00, Europe/Berlin`. */
function cadenceText({ cadence, weekday, day, hour, timezone }: Schedule): string {
  const at = `${hour}:00`;
  return cadence === "monthly"
    ? t.reportSchedules.monthlyAt(day ?? 1, at, timezone)
    : t.reportSchedules.weeklyAt(t.reportSchedules.weekdays[(weekday ?? 1) - 1] ?? "", at, timezone);
}

export const scheduleColumns: readonly Column<Schedule>[] = [
  {
    heading: t.reportSchedules.name,
    cell: ({ name, recipients, scope }) => (
      <>
        <b>{name}</b>
        <div className="muted">
          {t.reportSchedules.to(
            t.intelReports.scopes[scope.type] ?? scope.type,
            recipients.join(", ") || t.reportSchedules.contacts,
          )}
        </div>
      </>
    ),
    className: "main wrap",
  },
  { heading: t.reportSchedules.when, cell: cadenceText, className: "wrap" },
  { heading: t.reportSchedules.next, cell: (schedule) => <Next schedule={schedule} />, className: "muted" },
  {
    heading: t.reportSchedules.last,
    cell: (schedule) => <LastRun schedule={schedule} />,
    className: "wrap grow",
  },
];

function Next({ schedule: { paused, next_run_at: at } }: { readonly schedule: Schedule }) {
  if (paused) return <StateBadge tone="idle">{t.reportSchedules.paused}</StateBadge>;
  return at && <Time at={at} withDay />;
}

/** The report in progress, or the result of the last one. */
function LastRun({ schedule: { last_run: run, under_way: work } }: { readonly schedule: Schedule }) {
  if (work)
    return (
      <>
        <StateBadge tone={work.reason === null ? "info" : "warn"}>{t.reportSchedules.running}</StateBadge>
        {work.reason !== null && <div className="muted">{work.reason}</div>}
      </>
    );
  if (!run) return <span className="muted">{t.reportSchedules.never}</span>;
  const { status, at, reason, code, report_id: reportId, message_ids: messages } = run;
  return (
    <>
      <span className="row">
        <StateBadge tone={status === "sent" ? "ok" : status === "failed" ? "bad" : "idle"}>
          {t.reportSchedules.statuses[status] ?? status}
        </StateBadge>
        <Time at={at} withDay />
        {reportId && (
          <Link to="/intel/reports/$reportId" params={{ reportId }} className="link">
            {t.reportSchedules.report}
          </Link>
        )}
        {messages.map((messageId, index) => (
          <Link key={messageId} to="/messages/$messageId" params={{ messageId }} className="link">
            {t.incidents.message(index + 1)}
          </Link>
        ))}
      </span>
      {reason !== null && <div className="muted">{faultText({ code: code ?? "" }, reason)}</div>}
    </>
  );
}
