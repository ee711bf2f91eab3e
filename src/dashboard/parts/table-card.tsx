import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { rowsOf } from "../api/pages.ts";
import { LoadMore } from "./load-more.tsx";
import { StateView } from "./state-view.tsx";
import { type Column, Table } from "./table.tsx";

interface TableCardProps<Row> {
  /** Id of the heading, unique on the page. */
  readonly id: string;
  readonly title: string;
  readonly detail?: string;
  readonly query: UseInfiniteQueryResult<InfiniteData<{ readonly data: readonly Row[] }>>;
  /** Shown if the list has no row. */
  readonly empty: ReactNode;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  /** Content below an open row; undefined for a closed row. */
  readonly below?: (row: Row) => ReactNode;
}

/** A list of a page about one resource: a table with a heading, in a card of its own. */
export function TableCard<Row>({ id, title, detail, query, empty, ...table }: TableCardProps<Row>) {
  return (
    <section className="card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {detail && <span className="faint">{detail}</span>}
      </header>
      <StateView query={query} empty={{ when: (data) => rowsOf(data).length === 0, view: empty }}>
        {(data) => <Table label={title} rows={rowsOf(data)} {...table} />}
      </StateView>
      {query.hasNextPage && (
        <div className="body">
          <LoadMore query={query} />
        </div>
      )}
    </section>
  );
}
