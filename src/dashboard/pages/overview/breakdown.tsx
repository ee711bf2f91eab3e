import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { countersQuery, type Dimension, dimensions, type Period, type Series } from "../../api/counters.ts";
import { keysQuery } from "../../api/keys.ts";
import { rowsOf } from "../../api/pages.ts";
import { StateView } from "../../parts/state-view.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useMay } from "../../parts/use-may.ts";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { endedOf, rateText, type Sums, sumsOf } from "./rates.ts";

const route = getRouteApi("/inside/");

interface Row {
  /** Undefined: all values without a row of their own. */
  readonly value: string | undefined;
  readonly name: string;
  readonly sums: Sums;
}

/** Figures of a period by provider, key, template or sending domain. A row opens its messages. */
export function Breakdown({ period }: { readonly period: Period }) {
  const { by = "provider" } = route.useSearch();
  const query = useQuery(countersQuery({ period, dimension: by }));
  const may = useMay();
  const keys = useInfiniteQuery({ ...keysQuery(), enabled: by === "key" && may("keys.read") });
  const names = new Map(rowsOf(keys.data).map((key) => [key.id, key.name || key.prefix]));
  return (
    <section className="card" aria-labelledby="breakdown">
      <header>
        <h2 id="breakdown">{t.overview.whereMailWent}</h2>
        <nav className="row" aria-label={t.overview.by}>
          {dimensions.map((one) => (
            <Link
              key={one}
              to="/"
              search={(former) => ({ ...former, by: one === "provider" ? undefined : one })}
              replace
              className="chip"
              activeProps={{}}
              aria-current={one === by ? "true" : undefined}
            >
              {one === by ? <b>{t.overview.dimensions[one]}</b> : t.overview.dimensions[one]}
            </Link>
          ))}
        </nav>
      </header>
      <StateView
        query={query}
        empty={{
          when: ({ series }) => series.length === 0,
          view: <p className="notice muted">{t.overview.noMail}</p>,
        }}
      >
        {({ series, points, measured_since: since }) => (
          <>
            <Table
              label={t.overview.dimensions[by]}
              columns={columnsOf(by, points[0])}
              rows={groupsOf(series, by, names)}
              rowKey={({ value, name }) => value ?? name}
            />
            {since && by !== "provider" && (
              <p className="body faint">{t.overview.measuredSince(since.slice(0, 16).replace("T", " "))}</p>
            )}
          </>
        )}
      </StateView>
    </section>
  );
}

function columnsOf(by: Dimension, from: string | undefined): readonly Column<Row>[] {
  return [
    {
      heading: t.overview.dimensions[by],
      cell: ({ value, name }) =>
        value === undefined ? (
          name
        ) : (
          <Link
            to="/messages"
            search={{ ...filterOf(by, value), ...(from !== undefined && { from }) }}
            className="link"
          >
            {name}
          </Link>
        ),
      className: "grow",
    },
    { heading: t.overview.accepted, cell: ({ sums }) => count(sums.accepted), className: "right num" },
    {
      heading: t.overview.delivered,
      cell: ({ sums }) => rateText(sums.delivered ?? 0, endedOf(sums)),
      className: "right num",
    },
    {
      heading: t.overview.bounced,
      cell: ({ sums }) => rateText(sums.bounced ?? 0, endedOf(sums)),
      className: "right num wide-only",
    },
    {
      heading: t.overview.deferred,
      cell: ({ sums }) => count(sums.deferred),
      className: "right num muted wide-only",
    },
    {
      heading: t.overview.opened,
      cell: ({ sums }) => count(sums.opened),
      className: "right num muted wide-only",
    },
  ];
}

const count = (n = 0) => numberText(n);

function filterOf(by: Dimension, value: string) {
  if (by === "provider") return { provider: value };
  if (by === "key") return { key_id: value };
  return by === "template" ? { template: value } : { sender: `@${value}` };
}

function groupsOf(series: readonly Series[], by: Dimension, names: ReadonlyMap<string, string>): Row[] {
  const groups = new Map<string | undefined, Series[]>();
  for (const one of series) {
    const value = one.is_other ? undefined : one.value;
    groups.set(value, [...(groups.get(value) ?? []), one]);
  }
  const nameOf = (value: string) =>
    (by === "provider" ? t.overview.providers[value] : names.get(value)) ?? value;
  return [...groups]
    .map(([value, some]) => ({
      value,
      name: value === undefined ? t.overview.otherProviders : nameOf(value),
      sums: sumsOf(some),
    }))
    .sort((a, b) => (b.sums.accepted ?? 0) - (a.sums.accepted ?? 0));
}
