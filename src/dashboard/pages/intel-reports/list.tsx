import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { type ReportFilter, reportFilterNames, reportsBy } from "../../api/reports.ts";
import { FilterMenu } from "../../parts/filter-menu.tsx";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { readTexts } from "../../parts/read-texts.ts";
import { Table } from "../../parts/table.tsx";
import { TimeFilter } from "../../parts/time-filter.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { ScopeFilters } from "../intel-scope/scope-filters.tsx";
import { reportColumns } from "./report-columns.tsx";

const route = getRouteApi("/inside/intel/reports");
const NewReport = lazy(async () => ({ default: (await import("./new-report.tsx")).NewReport }));

/** Reports of a workspace, latest first. The address has the filters. */
export function ReportListPage() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const query = useInfiniteQuery(reportsBy(filter));
  const [isAdding, setAdding] = useState(false);
  const { workspace_id, scope_type: type, scope_id: id, from, until } = filter;
  const isFiltered = [type, id, from, until].some(Boolean);
  const change = (changes: ReportFilter) =>
    void navigate({ search: readTexts({ ...filter, ...changes }, reportFilterNames), replace: true });
  return (
    <>
      <PageHead title={t.intelReports.title} detail={t.intelReports.detail}>
        <Link to="/jobs" search={{ kind: "report.generate" }} className="link">
          {t.intelReports.inProgress}
        </Link>
        <Link to="/intel/schedules" search={workspace_id ? { workspace_id } : {}} className="link">
          {t.reportSchedules.title}
        </Link>
        <Link to="/intel/labels" search={workspace_id ? { workspace_id } : {}} className="link">
          {t.labels.title}
        </Link>
        {may("intel.write") && <Button onClick={() => setAdding(true)}>{t.intelReports.create}</Button>}
      </PageHead>
      <search className="row">
        <ScopeFilters
          scope={{
            workspace_id,
            ...(type === "client" && { client_id: id }),
            ...(type === "domain" && { domain_id: id }),
          }}
          onChange={(scope) =>
            change({
              ...("workspace_id" in scope && { workspace_id: scope.workspace_id }),
              scope_type: scope.client_id ? "client" : scope.domain_id ? "domain" : undefined,
              scope_id: scope.client_id ?? scope.domain_id,
            })
          }
        />
        <FilterMenu
          label={t.intelReports.kind}
          options={t.intelReports.scopes}
          values={type ? [type] : []}
          onPick={([picked]) => change({ scope_type: picked, scope_id: undefined })}
        />
        <TimeFilter label={t.intelReports.created} from={from} until={until} onChange={change} />
      </search>
      <ListCard
        query={query}
        empty={
          isFiltered
            ? { title: t.intelReports.emptyFiltered }
            : { title: t.intelReports.empty, detail: t.intelReports.emptyDetail }
        }
      >
        {(rows) => (
          <Table
            label={t.intelReports.title}
            columns={reportColumns}
            rows={rows}
            rowKey={({ id: key }) => key}
          />
        )}
      </ListCard>
      <Suspense>{isAdding && <NewReport filter={filter} onClose={() => setAdding(false)} />}</Suspense>
    </>
  );
}
