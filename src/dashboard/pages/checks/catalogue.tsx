import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type CatalogCheck, type CheckFilter, checkFilterNames, checksQuery } from "../../api/checks.ts";
import { findingsQuery } from "../../api/insights.ts";
import { FilterBar } from "../../parts/filter-bar.tsx";
import { FilterMenu } from "../../parts/filter-menu.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { readTexts } from "../../parts/read-texts.ts";
import { StateView } from "../../parts/state-view.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { checkTitle } from "../intel-scope/check-title.ts";
import { ClientPick } from "../intel-scope/client-pick.tsx";
import { WorkspacePick } from "../intel-scope/workspace-pick.tsx";
import { CatalogueEntry } from "./catalogue-entry.tsx";

const route = getRouteApi("/inside/intel/checks");

/** Every check with its weight and its meaning, and the domains that fail it. The address has the filters. */
export function CataloguePage() {
  const filter = route.useSearch();
  const { workspace_id, client_id, search, area, check: open } = filter;
  const navigate = route.useNavigate();
  const scope = { ...(workspace_id && { workspace_id }), ...(client_id && { client_id }) };
  const query = useQuery(checksQuery);
  // They complete the list.
  const findings = useQuery(findingsQuery(scope));
  const domains = new Map(findings.data?.data.map(({ check_id: id, domain_count }) => [id, domain_count]));
  const change = (changes: CheckFilter) =>
    void navigate({
      search: readTexts({ ...filter, ...changes }, checkFilterNames),
      replace: true,
      resetScroll: false,
    });
  const words = search?.toLowerCase() ?? "";
  const isShown = (check: CatalogCheck) =>
    (area === undefined || check.category === area) &&
    `${checkTitle(check.id, check.title)} ${check.title} ${check.id}`.toLowerCase().includes(words);
  return (
    <>
      <PageHead
        title={t.checks.title}
        detail={t.checks.detail}
        above={
          <Link to="/intel/domains" search={scope} className="link">
            {t.watches.title}
          </Link>
        }
      />
      <FilterBar
        filter={{ client_id, search, area }}
        search={{
          label: t.watches.findCheck,
          hint: t.watches.findCheckHint,
          value: search,
          onSearch: (text) => change({ search: text }),
        }}
        onClear={() => navigate({ search: workspace_id ? { workspace_id } : {} })}
      >
        <WorkspacePick
          value={workspace_id}
          onPick={(picked) => change({ workspace_id: picked, client_id: undefined })}
        />
        <ClientPick
          workspace={workspace_id}
          value={client_id}
          onPick={(picked) => change({ client_id: picked })}
        />
        <FilterMenu
          label={t.watches.area}
          options={t.watches.categories}
          values={area ? [area] : []}
          onPick={([picked]) => change({ area: picked })}
        />
      </FilterBar>
      <div className="card">
        <StateView
          query={query}
          empty={{
            when: ({ data }) => !data.some(isShown),
            view: (
              <div className="notice" role="status">
                <strong>{t.watches.noChecks}</strong>
              </div>
            ),
          }}
        >
          {({ data }) => (
            <Table
              label={t.checks.title}
              columns={columns(open, (id) => change({ check: id === open ? undefined : id }), domains)}
              rows={data.filter(isShown)}
              rowKey={({ id }) => id}
              below={(check) =>
                check.id === open ? <CatalogueEntry check={check} scope={scope} /> : undefined
              }
            />
          )}
        </StateView>
      </div>
    </>
  );
}

const columns = (
  open: string | undefined,
  toggle: (id: string) => void,
  domains: ReadonlyMap<string, number>,
): readonly Column<CatalogCheck>[] => [
  {
    heading: t.watches.checkName,
    cell: (check) => (
      <button
        type="button"
        className="opener bare"
        aria-expanded={check.id === open}
        onClick={() => toggle(check.id)}
      >
        {checkTitle(check.id, check.title)}
      </button>
    ),
    className: "main wrap",
  },
  {
    heading: t.watches.area,
    cell: ({ category }) => t.watches.categories[category] ?? category,
    className: "muted wide-only",
  },
  {
    heading: t.watches.points,
    cell: ({ weight, enabled }) => {
      if (enabled === false) return <span className="faint">{t.checks.notUsed}</span>;
      return weight === 0 ? <span className="faint">{t.checks.informs}</span> : numberText(weight);
    },
    className: "right num",
  },
  {
    heading: t.checks.failing,
    cell: ({ id }) => numberText(domains.get(id) ?? 0),
    className: "right num",
  },
];
