import { Button } from "@mantine/core";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { onCallQuery, type Schedule, scheduleChoicesQuery } from "../../api/oncalls.ts";
import { sessionQuery } from "../../api/session.ts";
import { FilterBar } from "../../parts/filter-bar.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { NowCell, type OnCallStates } from "./now-cell.tsx";
import { OwnShifts } from "./own-shifts.tsx";

const route = getRouteApi("/inside/on-call");

const columnsOf = (states: OnCallStates): readonly Column<Schedule>[] => [
  {
    heading: t.onCall.name,
    cell: ({ settings: { name, description } }) => (
      <>
        <Link to="/on-call/$name" params={{ name }} className="main">
          {name}
        </Link>
        {description && <div className="muted">{description}</div>}
      </>
    ),
    className: "main",
  },
  {
    heading: t.onCall.now,
    cell: ({ settings: { name } }) => <NowCell name={name} states={states} which="now" />,
    className: "lines",
  },
  {
    heading: t.onCall.next,
    cell: ({ settings: { name } }) => <NowCell name={name} states={states} which="next" />,
    className: "lines",
  },
  {
    heading: t.onCall.zone,
    cell: ({ settings: { layers } }) => [...new Set(layers.map((layer) => layer.time_zone))].join(", "),
    className: "muted wide-only",
  },
];

/** The on-call schedules of the account with the people on call. The address has the filter. */
export function OnCallListPage() {
  const { search = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(scheduleChoicesQuery);
  const { data: session } = useSuspenseQuery(sessionQuery);
  const states = useQuery(onCallQuery(session.user_id));
  const may = useMay();
  const create = may("alerts.write") && (
    <Button renderRoot={(props) => <Link to="/on-call/-/new" {...props} />}>{t.onCall.create}</Button>
  );
  return (
    <>
      <PageHead title={t.onCall.title} detail={t.onCall.detail}>
        {create}
      </PageHead>
      <StateView
        query={query}
        empty={{
          when: ({ rows }) => rows.length === 0,
          view: (
            <div className="card notice">
              <strong>{t.onCall.empty}</strong>
              <p className="muted">{t.onCall.emptyDetail}</p>
              {create}
            </div>
          ),
        }}
      >
        {({ rows }) => {
          const shown = rows.filter((schedule) => isFound(schedule, search));
          return (
            <>
              <FilterBar
                filter={{ search }}
                search={{
                  label: t.onCall.search,
                  hint: t.onCall.searchHint,
                  value: search,
                  onSearch: (text) =>
                    void navigate({ search: text === undefined ? {} : { search: text }, replace: true }),
                }}
                onClear={() => navigate({ search: {}, replace: true })}
              >
                {null}
              </FilterBar>
              <div className="card">
                {shown.length === 0 ? (
                  <div className="notice">
                    <strong>{t.onCall.emptyFiltered}</strong>
                  </div>
                ) : (
                  <Table
                    label={t.onCall.title}
                    columns={columnsOf(states)}
                    rows={shown}
                    rowKey={({ id }) => id}
                  />
                )}
              </div>
              <OwnShifts states={states} />
            </>
          );
        }}
      </StateView>
    </>
  );
}

/** Whether the name, the description or an address of a participant has the text. */
const isFound = ({ settings: { name, description = "" }, people }: Schedule, text: string) =>
  [name, description, ...people.map(({ address }) => address)].some((value) =>
    value.toLowerCase().includes(text.toLowerCase()),
  );
