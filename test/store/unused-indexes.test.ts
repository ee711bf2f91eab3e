import { afterAll, beforeAll, expect, it } from "vitest";
import { createLogger } from "../../src/shared/logger.ts";
import { createIndexes } from "../../src/store/indexes.ts";
import { unusedIndexesMigration } from "../../src/store/migrations/12-unused-indexes.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

let opened: TestStore;
beforeAll(async () => {
  opened = await openTestStore();
});
afterAll(() => opened.close());

it("removes the indexes that no query uses, and does nothing if they are missing", async () => {
  const { db } = opened;
  const names = async () =>
    (await db.collection("incidents").listIndexes().toArray()).map(({ name }) => name).toSorted();
  const current = await names();
  await db.collection("incidents").createIndex({ accountId: 1, state: 1, _id: -1 });
  expect(await names()).toHaveLength(current.length + 1);
  const progress = { cursor: undefined, done: 0, save: async () => undefined };
  const { signal } = new AbortController();
  for (let times = 0; times < 2; times++) {
    await unusedIndexesMigration.run({ db, progress, log: createLogger("silent"), signal });
    expect(await names()).toEqual(current);
  }
  // A start does not create them again.
  await createIndexes(db);
  expect(await names()).toEqual(current);
});
