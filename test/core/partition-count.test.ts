import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { loadConfig } from "../../src/config.ts";
import { agreeOnPartitions } from "../../src/roles/partition-count.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

let opened: TestStore;
let store: Store;
let logged: string[];

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());
beforeEach(async () => {
  for (const name of ["installation", "partitions", "accounts"])
    await opened.db.collection(name).deleteMany({});
  logged = [];
});

/** A process that starts with this setting, or without it. */
function start(asked?: number, { exclusive = false } = {}): Promise<number> {
  const config = loadConfig(asked === undefined ? {} : { HERMOD_PARTITIONS: String(asked) });
  const write = (_: unknown, text: string) => logged.push(text);
  const process = { config, log: { info: write, warn: write } };
  return agreeOnPartitions(process as never, store, { exclusive });
}

const account = (_id: string) =>
  opened.db
    .collection<{ _id: string }>("accounts")
    .insertOne({ _id, name: "one", createdAt: new Date() } as never);

it("the first start writes the number, and every process has it from the store", async () => {
  expect(await start()).toBe(192);
  expect(await store.partitions.count()).toBe(192);
  expect(await start(undefined, { exclusive: true })).toBe(192);
  expect(logged).toEqual([]);
});

it("processes that start at once in a new store have one number, whatever they are set to", async () => {
  await Promise.all([start(), start(100), start(500), start()]);
  expect(await start()).toBe(500);
});

it("a new store of one process has fewer", async () => {
  expect(await start(undefined, { exclusive: true })).toBe(64);
});

it("the first start may ask for another number, later ones for more", async () => {
  expect(await start(10)).toBe(10);
  expect(await start(96)).toBe(96);
  expect(await start()).toBe(96);
  expect(logged).toEqual(["the queue has more partitions from now on"]);
});

it("never takes partitions away, and says so", async () => {
  await start(96);
  expect(await start(10)).toBe(96);
  expect(await start()).toBe(96);
  expect(logged).toEqual(["HERMOD_PARTITIONS: the queue has more partitions, and keeps them"]);
});

it("a store of a release that kept no number has 64, whether a worker ran or a core alone", async () => {
  await account("acc_1");
  expect(await start()).toBe(64);
  await opened.db.collection("installation").deleteMany({});
  await opened.db.collection("accounts").deleteMany({});
  for (const id of [0, 1, 60]) await store.partitions.take(id, "wrk_1", 1_000);
  expect(await start()).toBe(64);
});

it("a number that is damaged is written anew, no smaller than what was leased", async () => {
  await start(300);
  for (const id of [0, 299]) await store.partitions.take(id, "wrk_1", 1_000);
  for (const count of ["many", -1, 1e9, null]) {
    await opened.db.collection<{ _id: string }>("installation").replaceOne({ _id: "partitions" }, { count });
    expect(await start()).toBe(300);
  }
});
