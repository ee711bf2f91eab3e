import type { Page } from "./pages.ts";

interface Row {
  readonly id: string;
}

/** Maximum number of rows up to which a live list adds new ones at its top. */
export const MAX_TOP_ROWS = 1_000;

/**
 * The pages with changed rows, which keep their places. A list can have 100,000 rows: pages without a changed row are not
 * copied.
 * @returns the same pages if nothing has changed
 */
export function withRows<P extends Page<Row>, Change>(
  pages: readonly P[],
  byId: ReadonlyMap<string, Change>,
  change: (row: P["data"][number], to: Change) => P["data"][number],
): readonly P[] {
  let isChanged = false;
  const next = pages.map((page) => {
    if (!page.data.some(({ id }) => byId.has(id))) return page;
    const data = page.data.map((row) => {
      const to = byId.get(row.id);
      return to === undefined ? row : change(row, to);
    });
    if (data.every((row, index) => row === page.data[index])) return page;
    isChanged = true;
    return { ...page, data };
  });
  return isChanged ? next : pages;
}

/** Rows of a fresh first page that are not in the list. */
export function unknownIn<R extends Row>(pages: readonly Page<R>[], fresh: readonly R[]): readonly R[] {
  const unknown = new Map(fresh.map((one) => [one.id, one]));
  for (const { data } of pages) {
    if (unknown.size === 0) break;
    for (const { id } of data) unknown.delete(id);
  }
  return [...unknown.values()];
}
