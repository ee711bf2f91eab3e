import fc from "fast-check";
import { expect, it } from "vitest";
import { pageBySize } from "./page-by-size.ts";

const MOST = 100;

/** Reads a list of entries, which are their sizes, page by page. */
async function readAll(sizes: readonly number[], limit: number) {
  const all = sizes.map((size, index) => ({ size, index }));
  const pages: (readonly { size: number; index: number }[])[] = [];
  let described = 0;
  for (let after = 0, hasMore = true; hasMore; ) {
    const found = all.slice(after, after + limit + 1);
    const page = await pageBySize(
      found.slice(0, limit),
      async (some) => {
        described += some.length;
        return some;
      },
      ({ size }) => size,
      MOST,
    );
    pages.push(page.described);
    hasMore = page.isCut || found.length > limit;
    if (page.last) after = page.last.index + 1;
  }
  return { all, pages, described };
}

it("yields every entry once and in order, for entries of any size, and no page with two entries is too large", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 3 * MOST })),
      fc.integer({ min: 1, max: 50 }),
      async (sizes, limit) => {
        const { all, pages, described } = await readAll(sizes, limit);
        expect(pages.flat()).toEqual(all);
        for (const page of pages) {
          expect(page.length).toBeLessThanOrEqual(limit);
          const bytes = page.reduce((sum, { size }) => sum + size, 0);
          expect(page.length === 1 || bytes <= MOST).toBe(true);
        }
        // No page is empty except that of an empty list, and each describes few entries in vain.
        expect(pages.every((page) => page.length > 0)).toBe(all.length > 0);
        expect(described).toBeLessThanOrEqual(all.length + 10 * pages.length);
      },
    ),
  );
});
