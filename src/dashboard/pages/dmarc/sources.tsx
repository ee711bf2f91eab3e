import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { type DmarcFilter, dmarcFilterNames, dmarcSourcesQuery } from "../../api/insights.ts";
import { LoadMore } from "../../parts/load-more.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { readTexts } from "../../parts/read-texts.ts";
import { Pending, StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { DmarcFilters } from "./filters.tsx";
import { SourceTable } from "./source-table.tsx";
import { Summary } from "./summary.tsx";

const route = getRouteApi("/inside/intel/dmarc");
const DayPlot = lazy(async () => ({ default: (await import("./day-plot.tsx")).DayPlot }));

/** Servers that sent mail in the name of watched domains, as receivers reported them. The address has the filters. */
export function DmarcSourcesPage() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(dmarcSourcesQuery(filter));
  const [open, setOpen] = useState<string>();
  const change = (changes: DmarcFilter) =>
    void navigate({ search: readTexts({ ...filter, ...changes }, dmarcFilterNames), replace: true });
  return (
    <>
      <PageHead title={t.dmarc.title} detail={t.dmarc.detail} />
      <DmarcFilters filter={filter} onChange={change} />
      <StateView query={query}>
        {({ pages }) => {
          const [first] = pages;
          if (first === undefined) return null;
          const rows = pages.flatMap(({ data }) => data);
          if (first.total.messages === 0) return <NoReports isNarrow={isNarrow(filter)} />;
          return (
            <>
              <Summary page={first} filter={filter} onFail={() => change({ result: "fail" })} />
              <Suspense fallback={<Pending />}>
                <DayPlot
                  title={t.dmarc.byDay}
                  days={first.days}
                  onOpen={(day) => change({ day, days: filter.days })}
                />
              </Suspense>
              {rows.length === 0 ? (
                <div className="card">
                  <div className="notice">
                    <strong>{filter.result === "fail" ? t.dmarc.noneFails : t.dmarc.noneListed}</strong>
                  </div>
                </div>
              ) : (
                <SourceTable
                  rows={rows}
                  days={first.days.map(({ day }) => day)}
                  open={open}
                  onToggle={(source) => setOpen(source === open ? undefined : source)}
                />
              )}
              <LoadMore query={query} />
            </>
          );
        }}
      </StateView>
    </>
  );
}

/** Whether the filter leaves out sources that the account may have. */
const isNarrow = ({ days: _, workspace_id: __, ...others }: DmarcFilter) =>
  Object.values(others).some(Boolean);

function NoReports({ isNarrow: hasFilter }: { readonly isNarrow: boolean }) {
  return (
    <div className="card">
      <div className="notice">
        <strong>{hasFilter ? t.dmarc.emptyFiltered : t.dmarc.empty}</strong>
        {!hasFilter && <p className="muted">{t.dmarc.emptyDetail}</p>}
        {!hasFilter && (
          <Link to="/intel/import" className="link">
            {t.watchImport.title}
          </Link>
        )}
      </div>
    </div>
  );
}
