import { afterEach, beforeEach, expect, it } from "vitest";
import { createStore, type Store } from "../../src/store/store.ts";
import { stateKey } from "../../src/store/subject-watches.ts";
import { testAudit } from "../harness/audit.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";
import { newWatch, plantWatched, SUBJECT } from "../harness/watched-domain.ts";

let opened: TestStore;
let store: Store;
let own: Watched;
beforeEach(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
  own = await watchedBy("acc_1");
});
afterEach(() => opened.close());

type Watched = Awaited<ReturnType<typeof plantWatched>>;
const watchedBy = (accountId: string): Promise<Watched> =>
  plantWatched(store, { accountId, domain: "example.com", now: new Date() });

const OF_DOMAIN = stateKey({ listId: "spamhaus_dbl", subject: "example.com" });
const remove = ({ accountId, domainId }: Watched) =>
  store.forAccount(accountId).watches.remove(domainId, testAudit);
const isKnown = async (key: string) => (await store.blacklistStates.find([key])).has(key);

it("keeps the state of a subject while any account watches it, and removes it with the last one", async () => {
  const { blacklists } = store.acrossAccounts;
  const other = await watchedBy("acc_2");
  await remove(own);
  expect(await blacklists.sweep("", 1_000)).toBeUndefined();
  expect([await isKnown(SUBJECT), await isKnown(OF_DOMAIN)]).toEqual([true, true]);
  await remove(other);
  await blacklists.sweep("", 1_000);
  expect([await isKnown(SUBJECT), await isKnown(OF_DOMAIN)]).toEqual([false, false]);
});

it("continues a sweep at the end of the previous one", async () => {
  const { blacklists } = store.acrossAccounts;
  await remove(own);
  const first = await blacklists.sweep("", 1);
  expect(first).toBe([SUBJECT, OF_DOMAIN].sort()[0]);
  await blacklists.sweep(first ?? "", 1);
  expect([await isKnown(SUBJECT), await isKnown(OF_DOMAIN)]).toEqual([false, false]);
});

it("keeps the state of a subject that is watched again during its removal", async () => {
  const { accountId, workspaceId, clientId } = own;
  const { watches } = store.forAccount(accountId);
  let { domainId } = own;
  for (let round = 0; round < 20; round++) {
    await watches.remove(domainId, testAudit);
    const [added] = await Promise.all([
      watches.add(newWatch({ workspaceId, clientId, name: `n${round}.example` }), testAudit),
      store.acrossAccounts.blacklists.keepWatched([SUBJECT]),
    ]);
    if (!("domain" in added)) throw new Error("the domain was there");
    domainId = added.domain._id;
    expect([round, await isKnown(SUBJECT)]).toEqual([round, true]);
  }
});

it("shares the watch of an address between domains of a workspace, and removes it with the last of them", async () => {
  const { accountId, workspaceId, clientId } = own;
  const account = store.forAccount(accountId);
  const count = () => account.blacklists.count(workspaceId, { listIds: ["spamcop"], keys: [SUBJECT] });
  await account.watches.add(newWatch({ workspaceId, clientId, name: "second.example" }), testAudit);
  expect((await account.blacklists.concerned(workspaceId, [SUBJECT])).get(SUBJECT)).toHaveLength(2);
  await remove(own);
  expect(await count()).toBe(1);
  const [second] = await account.watches.list(workspaceId, {}, "name", { limit: 2 });
  await account.watches.remove(second?._id ?? "", testAudit);
  expect(await count()).toBe(0);
});
