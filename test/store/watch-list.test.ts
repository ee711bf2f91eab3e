import { afterAll, beforeAll, expect, it } from "vitest";
import { createStore, type Store } from "../../src/store/store.ts";
import { type WatchOrder, watchOrders } from "../../src/store/watch-list.ts";
import { testAudit } from "../harness/audit.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";
import { lookedAt, newWatch, plantWatched } from "../harness/watched-domain.ts";

const now = new Date();
let opened: TestStore;
let store: Store;
let of: Awaited<ReturnType<typeof plantWatched>>;
beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
  of = await plantWatched(store, { accountId: "acc_1", domain: "first.example", now });
  const { watches } = store.forAccount("acc_1");
  for (let n = 0; n < 11; n++) {
    const added = await watches.add(newWatch({ ...of, name: `n${n}.example` }), testAudit);
    if (!("domain" in added)) throw new Error("the domain was there");
    const { domain } = added;
    // Some have no score yet, and several share one.
    if (n % 4 === 3) continue;
    const looked = lookedAt({ ...of, domainId: domain._id, domain: domain.name }, now);
    const standing = { ...looked.standing, score: 40 + (n % 3) };
    const { point: _, ...rest } = looked;
    await store.acrossAccounts.watches.keep(domain, { ...rest, standing }, undefined);
  }
});
afterAll(() => opened.close());

it.each(Object.keys(watchOrders) as WatchOrder[])(
  "returns pages by %s with every domain once, in order, also for equal ranks",
  async (order) => {
    const { watches } = store.forAccount("acc_1");
    const { field, direction } = watchOrders[order];
    const whole = await watches.list(of.workspaceId, {}, order, { limit: 100 });
    expect(whole).toHaveLength(12);
    const ranks = whole.map((domain) => domain[field]);
    const inOrder = ranks.toSorted((a, b) => (a < b ? -direction : a > b ? direction : 0));
    expect(ranks).toEqual(inOrder);
    const paged = [];
    for (let after: { rank: string | number | Date; id: string } | undefined; ; ) {
      const page = await watches.list(of.workspaceId, {}, order, { after, limit: 3 });
      paged.push(...page);
      const last = page.at(-1);
      if (page.length < 3 || !last) break;
      after = { rank: last[field], id: last._id };
    }
    expect(paged.map(({ _id }) => _id)).toEqual(whole.map(({ _id }) => _id));
  },
);

it("returns a single domain once", async () => {
  const { watches } = store.forAccount("acc_1");
  const after = { rank: "first.example", id: of.domainId };
  for (const filter of [{ id: of.domainId }, { name: "first.example" }]) {
    const first = await watches.list(of.workspaceId, filter, "-score", { limit: 2 });
    expect(first.map(({ _id }) => _id)).toEqual([of.domainId]);
    expect(await watches.list(of.workspaceId, filter, "-score", { after, limit: 2 })).toEqual([]);
  }
});
