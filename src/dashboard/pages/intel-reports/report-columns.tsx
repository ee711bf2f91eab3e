import { Link } from "@tanstack/react-router";
import type { Report } from "../../api/reports.ts";
import type { Column } from "../../parts/table.tsx";
import { Time, zone } from "../../parts/time.tsx";
import { dateLocale } from "../../texts/language.ts";
import { t } from "../../texts/texts.ts";

const days = new Intl.DateTimeFormat(dateLocale, {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: zone,
});

/** The days of a report. The end of its period is exclusive. */
export const periodText = ({ from, to }: Report["period"]): string =>
  days.formatRange(new Date(from), new Date(Date.parse(to) - 1));

export const reportColumns: readonly Column<Report>[] = [
  {
    heading: t.intelReports.subject,
    cell: ({ id, scope }) => (
      <Link to="/intel/reports/$reportId" params={{ reportId: id }} className="main">
        {scope.name ?? scope.id}
      </Link>
    ),
    className: "main wrap",
  },
  {
    heading: t.intelReports.kind,
    cell: ({ scope: { type } }) => t.intelReports.scopes[type] ?? type,
    className: "muted",
  },
  { heading: t.intelReports.period, cell: ({ period }) => periodText(period), className: "wrap grow" },
  {
    heading: t.intelReports.created,
    cell: ({ created_at }) => <Time at={created_at} withDay />,
    className: "right muted",
  },
  {
    heading: t.intelReports.keptUntil,
    cell: ({ expires_at: at }) => at && <Time at={at} />,
    className: "right muted wide-only",
  },
];
