import { afterAll, beforeAll, expect, it } from "vitest";
import { createIndexes } from "../../src/store/indexes.ts";
import { createSecretStore } from "../../src/store/secret-store.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

let opened: TestStore;

beforeAll(async () => {
  opened = await openTestStore();
});
afterAll(() => opened.close());

it("creates a secret once, for any number of concurrent callers", async () => {
  const stores = Array.from({ length: 8 }, () => createSecretStore(opened.db, testSealing));
  const secrets = await Promise.all(stores.map((store) => store.getOrCreate("links")));
  const [first = Buffer.alloc(0)] = secrets;
  expect(first.length).toBe(32);
  for (const secret of secrets) expect(secret.equals(first)).toBe(true);
  await createIndexes(opened.db);
  expect((await createSecretStore(opened.db, testSealing).getOrCreate("links")).equals(first)).toBe(true);
});

it("creates a separate one for each purpose", async () => {
  const store = createSecretStore(opened.db, testSealing);
  expect((await store.getOrCreate("a")).equals(await store.getOrCreate("b"))).toBe(false);
});
