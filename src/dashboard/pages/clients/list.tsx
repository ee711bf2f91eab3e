import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { type ClientFilter, clientFilterNames, clientsBy } from "../../api/workspaces.ts";
import { FilterBar } from "../../parts/filter-bar.tsx";
import { FilterMenu } from "../../parts/filter-menu.tsx";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { readTexts } from "../../parts/read-texts.ts";
import { Table } from "../../parts/table.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { WorkspacePick } from "../intel-scope/workspace-pick.tsx";
import { clientColumns } from "./client-columns.tsx";
import { ClientForm } from "./client-form.tsx";

const route = getRouteApi("/inside/intel/clients");

/** Clients of a workspace, by name. The address has the filters. */
export function ClientListPage() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const query = useInfiniteQuery(clientsBy(filter));
  const [isAdding, setAdding] = useState(false);
  const { workspace_id, ...others } = filter;
  const change = (changes: ClientFilter) =>
    void navigate({ search: readTexts({ ...filter, ...changes }, clientFilterNames), replace: true });
  return (
    <>
      <PageHead title={t.clients.title} detail={t.clients.detail}>
        {may("intel.write") && (
          <>
            <Link to="/intel/import" search={workspace_id ? { workspace_id } : {}} className="link">
              {t.watchImport.title}
            </Link>
            <Button onClick={() => setAdding(true)}>{t.clients.create}</Button>
          </>
        )}
      </PageHead>
      <FilterBar
        filter={others}
        search={{
          label: t.clients.search,
          hint: t.clients.searchHint,
          value: filter.search,
          onSearch: (search) => change({ search }),
        }}
        onClear={() => navigate({ search: workspace_id ? { workspace_id } : {} })}
      >
        <WorkspacePick value={workspace_id} onPick={(picked) => change({ workspace_id: picked })} />
        <FilterMenu
          label={t.clients.status}
          options={t.clients.statuses}
          values={filter.status ? [filter.status] : []}
          onPick={([status]) => change({ status })}
        />
        {filter.tag && (
          <button
            type="button"
            className="chip"
            data-active
            aria-label={t.common.clear(`${t.clients.tag} ${filter.tag}`)}
            onClick={() => change({ tag: undefined })}
          >
            {t.clients.tag} <b className="cut">{filter.tag}</b>
          </button>
        )}
      </FilterBar>
      <ListCard
        query={query}
        empty={
          Object.values(others).some(Boolean)
            ? { title: t.clients.emptyFiltered }
            : { title: t.clients.empty, detail: t.clients.emptyDetail }
        }
      >
        {(rows) => (
          <Table label={t.clients.title} columns={clientColumns} rows={rows} rowKey={({ id }) => id} />
        )}
      </ListCard>
      {isAdding && <ClientForm workspace={workspace_id} onClose={() => setAdding(false)} />}
    </>
  );
}
