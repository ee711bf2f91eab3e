import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type WatchChangeFilter, watchChangeFilterNames, watchChangesBy } from "../../api/watches.ts";
import { FilterMenu } from "../../parts/filter-menu.tsx";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { readTexts } from "../../parts/read-texts.ts";
import { TimeFilter } from "../../parts/time-filter.tsx";
import { t } from "../../texts/texts.ts";
import { ScopeFilters } from "../intel-scope/scope-filters.tsx";
import { ChangeTable } from "./change-table.tsx";

const route = getRouteApi("/inside/intel/changes");
/** Rows of the first view: a page of one kind can be short. */
const MIN_ROWS = 20;

/** Changes of the domains of a workspace or client, newest first. The address has the filters. */
export function ChangeListPage() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(watchChangesBy(filter));
  const { workspace_id, client_id, domain_id, kind, from, until } = filter;
  const change = (changes: WatchChangeFilter) =>
    void navigate({ search: readTexts({ ...filter, ...changes }, watchChangeFilterNames), replace: true });
  return (
    <>
      <PageHead title={t.watchChanges.title} detail={t.watchChanges.detail} />
      <search className="row">
        <ScopeFilters scope={{ workspace_id, client_id, domain_id }} onChange={change} />
        <FilterMenu
          label={t.watchChanges.kind}
          options={t.watchChanges.kinds}
          values={kind?.split(",") ?? []}
          isMultiple
          onPick={(kinds) => change({ kind: kinds.join(",") })}
        />
        <TimeFilter label={t.watchChanges.at} from={from} until={until} onChange={change} />
      </search>
      <ListCard
        query={query}
        minRows={kind ? MIN_ROWS : 1}
        empty={
          [client_id, domain_id, kind, from, until].some(Boolean)
            ? { title: t.watchChanges.emptyFiltered }
            : { title: t.watchChanges.empty, detail: t.watchChanges.emptyDetail }
        }
      >
        {(rows) => <ChangeTable rows={rows} />}
      </ListCard>
    </>
  );
}
