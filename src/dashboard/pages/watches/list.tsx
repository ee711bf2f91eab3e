import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { rowsOf } from "../../api/pages.ts";
import { type WatchFilter, watchesBy, watchFilterNames } from "../../api/watches.ts";
import { clientNamesQuery } from "../../api/workspaces.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { readTexts } from "../../parts/read-texts.ts";
import { Table } from "../../parts/table.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { MatchActions, SelectedActions } from "./bulk-actions.tsx";
import { watchColumns } from "./columns.tsx";
import { Filters } from "./filters.tsx";
import { Offers } from "./offers.tsx";

const route = getRouteApi("/inside/intel/domains");
const AddWatch = lazy(async () => ({ default: (await import("./add-watch.tsx")).AddWatch }));
/** Filters that find fewer domains. */
const narrowing = watchFilterNames.filter((name) => name !== "workspace_id" && name !== "sort");
/** Filters that find some domains of a client. */
const searching = narrowing.filter((name) => name !== "client_id");

/** Watched domains of a workspace, with their scores. The address has the filters. */
export function WatchListPage() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const mayChange = useMay()("intel.write");
  const query = useInfiniteQuery(watchesBy(filter));
  const names = useQuery(clientNamesQuery(filter.workspace_id));
  const [isAdding, setAdding] = useState(false);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { workspace_id, client_id } = filter;
  const isFiltered = narrowing.some((name) => filter[name]);
  const change = (changes: WatchFilter) =>
    void navigate({ search: readTexts({ ...filter, ...changes }, watchFilterNames), replace: true });
  const toggle = (id: string) =>
    setSelected((former) => {
      const next = new Set(former);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return (
    <>
      <PageHead title={t.watches.title} detail={t.watches.detail}>
        <Link to="/intel/checks" search={workspace_id ? { workspace_id } : {}} className="link">
          {t.checks.title}
        </Link>
        {mayChange && (
          <>
            <Link to="/intel/import" search={workspace_id ? { workspace_id } : {}} className="link">
              {t.watchImport.title}
            </Link>
            {isFiltered && <MatchActions filter={filter} />}
            <Button onClick={() => setAdding(true)}>{t.watches.add}</Button>
          </>
        )}
      </PageHead>
      <Filters
        filter={filter}
        onChange={change}
        onClear={() => navigate({ search: workspace_id ? { workspace_id } : {} })}
      />
      <ListCard
        query={query}
        empty={
          isFiltered
            ? { title: t.watches.emptyFiltered }
            : { title: t.watches.empty, detail: t.watches.emptyDetail }
        }
      >
        {(rows) => (
          <Table
            label={t.watches.title}
            columns={watchColumns(names.data ?? {}, mayChange ? { selected, toggle } : undefined)}
            rows={rows}
            rowKey={({ id }) => id}
          />
        )}
      </ListCard>
      {/* Below the list, which would move when they arrive. */}
      {!searching.some((name) => filter[name]) && <Offers workspace={workspace_id} client={client_id} />}
      <SelectedActions
        selected={rowsOf(query.data).filter(({ id }) => selected.has(id))}
        onClear={() => setSelected(new Set())}
      />
      <Suspense>
        {isAdding && (
          <AddWatch workspace={workspace_id} client={client_id} onClose={() => setAdding(false)} />
        )}
      </Suspense>
    </>
  );
}
