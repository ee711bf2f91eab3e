import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { Watch, WatchCheck } from "../../api/watches.ts";
import { FilterMenu } from "../../parts/filter-menu.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { checkTitle } from "../intel-scope/check-title.ts";
import { CheckDetails } from "./check-details.tsx";
import { CheckResult } from "./watch-state.tsx";

const route = getRouteApi("/inside/intel/domains/$domainId");

/** All checks of a domain, in the order of the catalogue, with their points. */
export function Checks({ watch }: { readonly watch: Watch }) {
  const { check: open } = route.useSearch();
  const navigate = route.useNavigate();
  const [text, setText] = useState<string>();
  const [area, setArea] = useState<string>();
  const [result, setResult] = useState<string>();
  const words = text?.toLowerCase() ?? "";
  const shown = watch.checks.filter(
    (check) =>
      (area === undefined || check.category === area) &&
      (result === undefined || check.status === result) &&
      `${checkTitle(check.id, check.title)} ${check.id}`.toLowerCase().includes(words),
  );
  const toggle = (id: string) =>
    void navigate({
      search: (former) => ({ ...former, check: id === open ? undefined : id }),
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <search className="row">
        <SearchField
          label={t.watches.findCheck}
          hint={t.watches.findCheckHint}
          value={text}
          onSearch={setText}
        />
        <FilterMenu
          label={t.watches.area}
          options={t.watches.categories}
          values={area ? [area] : []}
          onPick={([picked]) => setArea(picked)}
        />
        <FilterMenu
          label={t.watches.result}
          options={t.watches.results}
          values={result ? [result] : []}
          onPick={([picked]) => setResult(picked)}
        />
      </search>
      <div className="card">
        {shown.length === 0 ? (
          <div className="notice" role="status">
            <strong>{watch.checks.length === 0 ? t.watches.isPending : t.watches.noChecks}</strong>
          </div>
        ) : (
          <Table
            label={t.watches.tabs.checks}
            columns={columns(open, toggle)}
            rows={shown}
            rowKey={({ id }) => id}
            below={(check) => (check.id === open ? <CheckDetails watch={watch} check={check} /> : undefined)}
          />
        )}
      </div>
    </>
  );
}

const columns = (open: string | undefined, toggle: (id: string) => void): readonly Column<WatchCheck>[] => [
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
  { heading: t.watches.result, cell: ({ status }) => <CheckResult status={status} /> },
  {
    heading: t.watches.area,
    cell: ({ category }) => t.watches.categories[category] ?? category,
    className: "muted wide-only",
  },
  {
    heading: t.watches.points,
    cell: ({ points, weight }) =>
      weight === 0 ? (
        <span className="faint">{t.checks.informs}</span>
      ) : points === null ? (
        <span className="faint">{t.watches.noPoints}</span>
      ) : (
        t.watches.pointsOf(numberText(points), weight)
      ),
    className: "right num",
  },
];
