import { useQuery } from "@tanstack/react-query";
import { countersQuery, type Period, type Series } from "../../api/counters.ts";
import { StateView } from "../../parts/state-view.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { t } from "../../texts/texts.ts";
import { endedOf, rateText, type Sums, sumsOf } from "./rates.ts";

interface ProviderRow {
  readonly name: string;
  readonly sums: Sums;
}

const columns: readonly Column<ProviderRow>[] = [
  { heading: t.overview.provider, cell: ({ name }) => name },
  {
    heading: t.overview.accepted,
    cell: ({ sums }) => (sums.accepted ?? 0).toLocaleString("en"),
    className: "right num",
  },
  {
    heading: t.overview.delivered,
    cell: ({ sums }) => rateText(sums.delivered ?? 0, endedOf(sums)),
    className: "right num",
  },
  {
    heading: t.overview.deferred,
    cell: ({ sums }) => (sums.deferred ?? 0).toLocaleString("en"),
    className: "right num muted wide-only",
  },
];

/** Where mail went, by mail provider. */
export function Providers({ period }: { readonly period: Period }) {
  const query = useQuery(countersQuery({ period, dimension: "provider" }));
  return (
    <section className="card" aria-labelledby="providers">
      <header>
        <h2 id="providers">{t.overview.whereMailWent}</h2>
      </header>
      <StateView
        query={query}
        empty={{
          when: ({ series }) => series.length === 0,
          view: <p className="notice muted">{t.overview.noMail}</p>,
        }}
      >
        {({ series }) => (
          <Table
            label={t.overview.whereMailWent}
            columns={columns}
            rows={rowsOf(series)}
            rowKey={({ name }) => name}
          />
        )}
      </StateView>
    </section>
  );
}

function rowsOf(series: readonly Series[]): ProviderRow[] {
  const groups = Map.groupBy(series, ({ value, is_other }) =>
    is_other ? t.overview.otherProviders : (t.overview.providers[value] ?? value),
  );
  return [...groups]
    .map(([name, some]) => ({ name, sums: sumsOf(some) }))
    .sort((a, b) => (b.sums.accepted ?? 0) - (a.sums.accepted ?? 0));
}
