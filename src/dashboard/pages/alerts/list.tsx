import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type AlertFilter, alertFilterNames, alertsBy, type StoredAlert } from "../../api/incidents.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { readTexts } from "../../parts/read-texts.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { Severity } from "../incidents/incident-state.tsx";
import { AlertPlot } from "./alert-plot.tsx";
import { Filters } from "./filters.tsx";
import { Outcome } from "./outcome.tsx";

const route = getRouteApi("/inside/alerts");
/** Rows of the first view: a filtered page can be short. */
const MIN_ROWS = 20;

const columns: readonly Column<StoredAlert>[] = [
  { heading: t.incidents.severity, cell: ({ alert }) => <Severity severity={alert.severity} /> },
  {
    heading: t.alerts.alert,
    cell: ({ id, alert }) => (
      <Link to="/alerts/$alertId" params={{ alertId: id }} className="main">
        {alert.message}
      </Link>
    ),
    className: "main",
  },
  { heading: t.alerts.outcome, cell: ({ outcome, alert }) => <Outcome outcome={outcome} alert={alert} /> },
  { heading: t.alerts.eventType, cell: ({ alert }) => alert.event_type, className: "mono wrap wide-only" },
  { heading: t.alerts.source, cell: ({ alert }) => alert.source, className: "muted wrap wide-only" },
  {
    heading: t.alerts.received,
    cell: ({ received_at }) => <Time at={received_at} withDay />,
    className: "right muted",
  },
];

/** Alerts of the account, newest first, with the result of the rules. The address has the filters. */
export function AlertListPage() {
  const { period = "24h", ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(alertsBy(filter));
  const isFiltered = Object.values(filter).some(Boolean);
  const kept = period === "24h" ? {} : { period };
  const change = (changes: AlertFilter) =>
    void navigate({
      search: { ...kept, ...readTexts({ ...filter, ...changes }, alertFilterNames) },
      replace: true,
    });
  return (
    <>
      <PageHead title={t.alerts.title} detail={t.alerts.detail}>
        <Link to="/alerts" search={{ outcome: "unmatched" }} className="link">
          {t.alerts.unmatched}
        </Link>
        <Button variant="default" renderRoot={(props) => <Link to="/alerts/set-up" {...props} />}>
          {t.alertSetup.title}
        </Button>
      </PageHead>
      <AlertPlot period={period} />
      <Filters filter={filter} onChange={change} onClear={() => navigate({ search: kept })} />
      <ListCard
        query={query}
        minRows={MIN_ROWS}
        empty={
          isFiltered
            ? { title: t.alerts.emptyFiltered }
            : { title: t.alerts.empty, detail: t.alerts.emptyDetail }
        }
      >
        {(rows) => <Table label={t.alerts.title} columns={columns} rows={rows} rowKey={({ id }) => id} />}
      </ListCard>
    </>
  );
}
