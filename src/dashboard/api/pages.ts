import { type InfiniteData, infiniteQueryOptions, type QueryKey } from "@tanstack/react-query";
import type { RowWindow } from "../parts/use-row-window.ts";

/** A page of a list of the API. */
export interface Page<Row> {
  readonly data: readonly Row[];
  readonly next_cursor?: string | undefined;
}

/** Request for one page. */
export interface PageOptions {
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

/** Limit and cursor in the form of a request. An empty cursor requests the first page. */
export const pageOf = (cursor: string, limit: number) => ({ limit, ...(cursor && { cursor }) });

/** The first entries of a list that match its filter. */
export interface Found<Row> {
  readonly rows: readonly Row[];
  /** Whether the list has, or may have, more entries. */
  readonly isMore: boolean;
}

/**
 * Reads pages until there are enough entries: a filtered page can be short or empty although another page follows.
 * @param load requests the page after a cursor; empty: the first page
 */
export async function findFirst<Row>(
  most: number,
  load: (cursor: string) => Promise<Page<Row>>,
  maxPages = Number.POSITIVE_INFINITY,
): Promise<Found<Row>> {
  const rows: Row[] = [];
  let cursor: string | undefined = "";
  for (let pages = 0; cursor !== undefined && rows.length < most && pages < maxPages; pages++) {
    const page: Page<Row> = await load(cursor);
    rows.push(...page.data);
    cursor = page.next_cursor;
  }
  return { rows: rows.slice(0, most), isMore: cursor !== undefined || rows.length > most };
}

interface PageRequest {
  readonly query: { readonly limit: number; readonly cursor?: string };
  readonly fetchOptions: { readonly signal: AbortSignal };
}

/**
 * The loaded pages of a list.
 * @param load requests one page; its cursor is missing for the first page
 */
export const listQuery = <P extends Page<unknown>>(
  queryKey: QueryKey,
  limit: number,
  load: (request: PageRequest) => Promise<P>,
) =>
  infiniteQueryOptions({
    queryKey,
    initialPageParam: "",
    queryFn: ({ pageParam: cursor, signal }) =>
      load({ query: { limit, ...(cursor && { cursor }) }, fetchOptions: { signal } }),
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });

/** All rows of the loaded pages of a list. */
export const rowsOf = <Row>(
  data: { readonly pages: readonly { readonly data: readonly Row[] }[] } | undefined,
): Row[] => (data?.pages ?? []).flatMap(({ data: rows }) => rows);

/** Cursors of the loaded pages with these rows. */
export function cursorsOf(
  { pages, pageParams }: InfiniteData<Page<unknown>>,
  { first, last }: RowWindow,
): string[] {
  let begin = 0;
  return pages.flatMap(({ data }, index) => {
    const isShown = begin < last && begin + data.length > first;
    begin += data.length;
    return isShown ? [String(pageParams[index])] : [];
  });
}
