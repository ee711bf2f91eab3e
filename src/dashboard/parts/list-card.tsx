import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { rowsOf } from "../api/pages.ts";
import { LoadMore } from "./load-more.tsx";
import { Pending, StateView } from "./state-view.tsx";

interface Page<Row> {
  readonly data: readonly Row[];
}

interface ListCardProps<Row> {
  readonly query: UseInfiniteQueryResult<InfiniteData<Page<Row>>>;
  /** Shown if the list has no entry. */
  readonly empty: { readonly title: string; readonly detail?: string; readonly action?: ReactNode };
  /**
   * Rows below which the next page is loaded automatically, for lists with short pages. Missing: only an empty list
   * continues.
   */
  readonly minRows?: number;
  readonly children: (rows: readonly Row[]) => ReactNode;
}

/** Number of short pages that are loaded automatically. */
const MAX_SHORT_PAGES = 5;
/** Number of empty pages that are loaded automatically: a search can read many entries before the first match. */
const MAX_EMPTY_PAGES = 20;

/** A list of the API: all loaded pages as one table. */
export function ListCard<Row>({ query, empty, minRows = 1, children }: ListCardProps<Row>) {
  const isSearching = useSearchOn(query, minRows);
  return (
    <>
      <div className="card">
        <StateView
          query={query}
          empty={{
            when: hasNoRow,
            view: isSearching ? (
              <Pending />
            ) : (
              <div className="notice">
                <strong>{empty.title}</strong>
                {empty.detail && <p className="muted">{empty.detail}</p>}
                {empty.action}
              </div>
            ),
          }}
        >
          {(data) => children(rowsOf(data))}
        </StateView>
      </div>
      {isSearching ? query.data && !hasNoRow(query.data) && <Pending /> : <LoadMore query={query} />}
    </>
  );
}

const hasNoRow = ({ pages }: InfiniteData<Page<unknown>>) => pages.every(({ data }) => data.length === 0);

/**
 * Loads the next page until the list has an entry.
 * @param minRows entries that the list needs, for lists with short pages
 * @returns whether it continues
 */
export function useSearchOn(
  query: UseInfiniteQueryResult<InfiniteData<Page<unknown>>>,
  minRows = 1,
): boolean {
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  const maxPages = minRows > 1 ? MAX_SHORT_PAGES : MAX_EMPTY_PAGES;
  const isSearching =
    data !== undefined &&
    hasNextPage &&
    !isError &&
    rowsOf(data).length < minRows &&
    data.pages.length < maxPages;
  // After any request, not only one for the next page: a refresh can give this one up before it was rendered.
  useEffect(() => {
    if (isSearching && !isFetching) void fetchNextPage();
  }, [isSearching, isFetching, fetchNextPage]);
  return isSearching;
}
