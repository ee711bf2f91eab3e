import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { LoadMore } from "./load-more.tsx";
import { StateView } from "./state-view.tsx";

interface Page<Row> {
  readonly data: readonly Row[];
}

interface ListCardProps<Row> {
  readonly query: UseInfiniteQueryResult<InfiniteData<Page<Row>>>;
  /** Shown where the list has no entry. */
  readonly empty: { readonly title: string; readonly detail?: string; readonly action?: ReactNode };
  readonly children: (rows: readonly Row[]) => ReactNode;
}

/** A list of the API, all of its loaded pages as one table. */
export function ListCard<Row>({ query, empty, children }: ListCardProps<Row>) {
  return (
    <>
      <div className="card">
        <StateView
          query={query}
          empty={{
            when: ({ pages }) => pages.every(({ data }) => data.length === 0),
            view: (
              <div className="notice">
                <strong>{empty.title}</strong>
                {empty.detail && <p className="muted">{empty.detail}</p>}
                {empty.action}
              </div>
            ),
          }}
        >
          {({ pages }) => children(pages.flatMap(({ data }) => data))}
        </StateView>
      </div>
      <LoadMore query={query} />
    </>
  );
}
