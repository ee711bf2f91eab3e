import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { type IncidentFilter, incidentFilterNames, incidentsBy } from "../../api/incidents.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { readTexts } from "../../parts/read-texts.ts";
import { Table } from "../../parts/table.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { MatchActions, SelectedActions } from "./bulk-actions.tsx";
import { Filters } from "./filters.tsx";
import { incidentColumns } from "./incident-columns.tsx";

const route = getRouteApi("/inside/incidents");
/** Rows of the first view: a filtered page can be short. */
const MIN_ROWS = 20;

/** Incidents of the account, newest first. The address has the filters. */
export function IncidentListPage() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const query = useInfiniteQuery(incidentsBy(filter));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const isFiltered = Object.entries(filter).some(([name, value]) => name !== "sort" && value);
  const mayChange = may("incidents.write");
  const change = (changes: IncidentFilter) =>
    void navigate({ search: readTexts({ ...filter, ...changes }, incidentFilterNames), replace: true });
  const toggle = (id: string) =>
    setSelected((former) => {
      const next = new Set(former);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return (
    <>
      <PageHead title={t.incidents.title} detail={t.incidents.detail}>
        <Link to="/alerts" className="link">
          {t.alerts.title}
        </Link>
        {isFiltered && mayChange && <MatchActions filter={filter} />}
      </PageHead>
      <Filters filter={filter} onChange={change} onClear={() => navigate({ search: {} })} />
      <ListCard
        query={query}
        minRows={MIN_ROWS}
        empty={
          isFiltered
            ? { title: t.incidents.emptyFiltered }
            : { title: t.incidents.empty, detail: t.incidents.emptyDetail }
        }
      >
        {(rows) => (
          <Table
            label={t.incidents.title}
            columns={incidentColumns(mayChange ? { selected, toggle } : undefined)}
            rows={rows}
            rowKey={({ id }) => id}
          />
        )}
      </ListCard>
      <SelectedActions ids={selected} onClear={() => setSelected(new Set())} />
    </>
  );
}
