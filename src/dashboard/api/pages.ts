import { infiniteQueryOptions, type QueryKey } from "@tanstack/react-query";

/** A page of a list of the API. */
export interface Page<Row> {
  readonly data: readonly Row[];
  readonly next_cursor?: string | undefined;
}

/** How one page is asked for. */
export interface PageOptions {
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

/** Limit and cursor as a request has them; an empty cursor asks for the first page. */
export const pageOf = (cursor: string, limit: number) => ({ limit, ...(cursor && { cursor }) });

/** The first entries of a list that meet its filter. */
export interface Found<Row> {
  readonly rows: readonly Row[];
  /** The list has, or may have, more of them. */
  readonly isMore: boolean;
}

/**
 * Reads pages until there are enough entries: a filtered page may be short, or empty, and yet have a next one.
 * @param load asks for the page behind a cursor; empty: for the first
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
 * The pages of a list, as far as they are loaded.
 * @param load asks for one page; its cursor is missing for the first
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

/** All rows of a list, as far as its pages are loaded. */
export const rowsOf = <Row>(
  data: { readonly pages: readonly { readonly data: readonly Row[] }[] } | undefined,
): Row[] => (data?.pages ?? []).flatMap(({ data: rows }) => rows);
