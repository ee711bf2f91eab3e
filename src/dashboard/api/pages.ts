import { infiniteQueryOptions, type QueryKey } from "@tanstack/react-query";

/** A page of a list of the API. */
interface Page {
  readonly next_cursor?: string | undefined;
}

interface PageRequest {
  readonly query: { readonly limit: number; readonly cursor?: string };
  readonly fetchOptions: { readonly signal: AbortSignal };
}

/**
 * The pages of a list, as far as they are loaded.
 * @param load asks for one page; its cursor is missing for the first
 */
export const listQuery = <P extends Page>(
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
