import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import {
  type Heartbeat,
  type HeartbeatFilter,
  heartbeatFilterNames,
  heartbeatsBy,
} from "../../api/heartbeats.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { readTexts } from "../../parts/read-texts.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { Time, useNow } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { Filters } from "./filters.tsx";
import { HeartbeatState, scheduleText } from "./heartbeat-state.tsx";

const route = getRouteApi("/inside/heartbeats");
/** Rows of the first view: a filtered page can be short. */
const MIN_ROWS = 20;

/** Heartbeats of the account, newest first. The address has the filters. */
export function HeartbeatListPage() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const query = useInfiniteQuery(heartbeatsBy(filter));
  const now = useNow(true);
  const isFiltered = Object.values(filter).some(Boolean);
  const change = (changes: HeartbeatFilter) =>
    void navigate({ search: readTexts({ ...filter, ...changes }, heartbeatFilterNames), replace: true });
  const create = may("alerts.write") && (
    <Button renderRoot={(props) => <Link to="/heartbeats/new" {...props} />}>{t.heartbeats.create}</Button>
  );
  return (
    <>
      <PageHead title={t.heartbeats.title} detail={t.heartbeats.detail}>
        {create}
      </PageHead>
      <Filters filter={filter} onChange={change} onClear={() => navigate({ search: {} })} />
      <ListCard
        query={query}
        minRows={isFiltered ? MIN_ROWS : 1}
        empty={
          isFiltered
            ? { title: t.heartbeats.emptyFiltered }
            : { title: t.heartbeats.empty, detail: t.heartbeats.emptyDetail }
        }
      >
        {(rows) => (
          <Table label={t.heartbeats.title} columns={columnsAt(now)} rows={rows} rowKey={({ id }) => id} />
        )}
      </ListCard>
    </>
  );
}

const columnsAt = (now: Date): readonly Column<Heartbeat>[] => [
  { heading: t.heartbeats.state, cell: (heartbeat) => <HeartbeatState heartbeat={heartbeat} now={now} /> },
  {
    heading: t.heartbeats.name,
    cell: ({ id, name, tags }) => (
      <>
        <Link to="/heartbeats/$heartbeatId" params={{ heartbeatId: id }} className="main">
          {name}
        </Link>
        {tags.length > 0 && <div className="muted">{tags.join(", ")}</div>}
      </>
    ),
    className: "main wrap grow",
  },
  { heading: t.heartbeats.expected, cell: scheduleText, className: "muted wide-only" },
  {
    heading: t.heartbeats.lastPing,
    cell: ({ last_ping_at: at }) =>
      at ? <Time at={at} withDay /> : <span className="faint">{t.heartbeats.noPing}</span>,
    className: "wide-only",
  },
  {
    heading: t.heartbeats.deadline,
    cell: ({ alert_at: at }) =>
      at ? <Time at={at} withDay /> : <span className="faint">{t.heartbeats.noDeadline}</span>,
    className: "right",
  },
];
