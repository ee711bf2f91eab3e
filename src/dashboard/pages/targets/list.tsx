import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type AlertRule, allRulesQuery } from "../../api/rules.ts";
import { type Target, targetsQuery } from "../../api/targets.ts";
import { FilterBar } from "../../parts/filter-bar.tsx";
import { FilterMenu } from "../../parts/filter-menu.tsx";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { rulesOf } from "./rules-of.ts";
import { matching, readTargetFilter, type TargetFilter } from "./search.ts";
import { kindText, TargetState } from "./target-state.tsx";

const route = getRouteApi("/inside/targets");

/** Alert targets of the account, in the order of their creation. The address has the filters. */
export function TargetListPage() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const query = useInfiniteQuery(targetsQuery);
  // They complete the rows.
  const rules = useQuery(allRulesQuery).data?.rows;
  const change = (changes: TargetFilter) =>
    void navigate({ search: readTargetFilter({ ...filter, ...changes }), replace: true });
  return (
    <>
      <PageHead title={t.targets.title} detail={t.targets.detail}>
        {may("alerts.write") && (
          <Button renderRoot={(props) => <Link to="/targets/new" {...props} />}>{t.targets.create}</Button>
        )}
      </PageHead>
      <FilterBar
        filter={filter}
        search={{
          label: t.targets.search,
          hint: t.targets.searchHint,
          value: filter.search,
          onSearch: (search) => change({ search }),
        }}
        onClear={() => navigate({ search: {} })}
      >
        <FilterMenu
          label={t.targets.kind}
          options={t.targets.kinds}
          values={filter.kind ? [filter.kind] : []}
          onPick={([kind]) => change({ kind })}
        />
        <FilterMenu
          label={t.targets.state}
          options={t.targets.states}
          values={filter.state ? [filter.state] : []}
          onPick={([state]) => change({ state })}
        />
      </FilterBar>
      <ListCard query={query} empty={{ title: t.targets.empty, detail: t.targets.emptyDetail }}>
        {(all) => {
          const targets = matching(all, filter);
          return targets.length === 0 ? (
            <div className="notice">
              <strong>{t.targets.emptyFiltered}</strong>
            </div>
          ) : (
            <Table
              label={t.targets.title}
              columns={columnsWith(rules)}
              rows={targets}
              rowKey={({ id }) => id}
            />
          );
        }}
      </ListCard>
    </>
  );
}

const columnsWith = (rules: readonly AlertRule[] | undefined): readonly Column<Target>[] => [
  { heading: t.targets.state, cell: (target) => <TargetState target={target} /> },
  {
    heading: t.targets.name,
    cell: ({ id, name, description }) => (
      <>
        <Link to="/targets/$targetId" params={{ targetId: id }} className="main">
          {name}
        </Link>
        {description && <div className="muted">{description}</div>}
      </>
    ),
    className: "main wrap grow",
  },
  { heading: t.targets.kind, cell: kindText, className: "muted" },
  {
    heading: t.targets.usedBy,
    cell: ({ id }) =>
      rules && <span className="muted">{t.targets.ruleCount(rulesOf(id, rules).length)}</span>,
    className: "wide-only",
  },
  {
    heading: t.targets.lastFailed,
    cell: ({ last_failed_at: at }) => <TimeCell at={at} />,
    className: "wide-only",
  },
  {
    heading: t.targets.lastDelivered,
    cell: ({ last_delivered_at: at }) => <TimeCell at={at} />,
    className: "right",
  },
];

function TimeCell({ at }: { readonly at: string | undefined }) {
  return at === undefined ? <span className="faint">{t.targets.never}</span> : <Time at={at} withDay />;
}
