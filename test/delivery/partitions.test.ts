import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createPartitions, type Deliveries, type Partitions } from "../../src/leases/partitions.ts";
import type { Clock } from "../../src/shared/clock.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { createPartitionStore, type PartitionStore } from "../../src/store/partition-store.ts";
import { PARTITION_COUNT } from "../harness/queued-message.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const HOUR_MS = 3_600_000;
const LEASE_MS = 3_500;

let opened: TestStore;
let store: PartitionStore;
let nowMs: number;

const clock = clockAhead(0);
const log = createLogger("silent");

beforeAll(async () => {
  opened = await openTestStore();
  store = createPartitionStore(opened.db, () => new Date(nowMs));
});
afterAll(() => opened.close());
beforeEach(async () => {
  await opened.db.collection("partitions").deleteMany({});
  await opened.db.collection("workers").deleteMany({});
  await opened.db.collection("installation").deleteMany({});
  nowMs = Date.UTC(2030, 0, 1);
});

const idle: Deliveries = {
  busy: () => false,
  claims: () => [],
  divide: () => undefined,
  hold: () => Promise.resolve(),
  lost: () => undefined,
};

/** The clock of a machine that is so far ahead of the store's. */
function clockAhead(aheadMs: number): Clock {
  return { now: () => new Date(nowMs + aheadMs), monotonicMs: () => nowMs };
}

function worker(workerId: string, deliveries = idle): Partitions {
  return createPartitions({ store, workerId, partitionCount: PARTITION_COUNT, deliveries, clock, log });
}

/** A few rounds of all of them, a second apart, as their timers would have it. */
async function rounds(count: number, ...workers: Partitions[]): Promise<void> {
  for (let i = 0; i < count; i++) {
    nowMs += 1_000;
    for (const one of workers) await one.round();
  }
}

function expectSharedOut(...workers: Partitions[]): void {
  expectAllShared(PARTITION_COUNT, ...workers);
}

function expectAllShared(count: number, ...workers: Partitions[]): void {
  const all = workers.flatMap((one) => one.held());
  expect(all.toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, id) => id));
}

it("one worker holds everything; two and three share it, each partition with one of them", async () => {
  const [a, b, c] = [worker("a"), worker("b"), worker("c")];
  await rounds(1, a);
  expectSharedOut(a);
  await rounds(2, a, b);
  expectSharedOut(a, b);
  expect([a.held().length, b.held().length]).toEqual([32, 32]);
  await rounds(3, a, b, c);
  expectSharedOut(a, b, c);
  expect(Math.max(...[a, b, c].map((one) => one.held().length))).toBe(22);
});

it("no worker has two partitions more than another, for any number of workers", async () => {
  const workers = Array.from({ length: 50 }, (_, n) => worker(`w${n}`));
  await rounds(4, ...workers);
  expectSharedOut(...workers);
  const sizes = workers.map((one) => one.held().length);
  expect([Math.min(...sizes), Math.max(...sizes)]).toEqual([1, 2]);
});

it("added partitions are held within a round or two, also by a worker that knew fewer", async () => {
  const [a, b] = [worker("a"), worker("b")];
  await rounds(3, a, b);
  await store.raiseCount(192);
  await rounds(3, a, b);
  expectAllShared(192, a, b);
  expect([a.held().length, b.held().length]).toEqual([96, 96]);
});

it("a damaged or reduced stored number takes no partition from any worker", async () => {
  const a = worker("a");
  await store.raiseCount(128);
  await rounds(1, a);
  for (const count of ["many", -1, 1.5, 64, Number.NaN, 1e9, null]) {
    await opened.db.collection<{ _id: string }>("installation").replaceOne({ _id: "partitions" }, { count });
    await rounds(1, a);
    expectAllShared(128, a);
  }
});

it("the partitions of a dead worker are taken over within five seconds, and not before its lease expires", async () => {
  const [a, b] = [worker("a"), worker("b")];
  await rounds(2, a, b);
  await rounds(3, b);
  expect(b.held().length).toBe(32);
  await rounds(2, b);
  expectSharedOut(b);
});

it("two workers take over the partitions of a third one without conflicts", async () => {
  const [a, b, c] = [worker("a"), worker("b"), worker("c")];
  await rounds(3, a, b, c);
  await rounds(5, a, b);
  expectSharedOut(a, b);
  expect([a.held().length, b.held().length]).toEqual([32, 32]);
});

it("a leaving worker gives up everything at once", async () => {
  const [a, b] = [worker("a"), worker("b")];
  await rounds(2, a, b);
  await a.stop();
  expect(a.held()).toEqual([]);
  await rounds(1, b);
  expectSharedOut(b);
});

it("a worker that cannot renew holds nothing before another one may take over", async () => {
  const a = worker("a");
  await rounds(1, a);
  nowMs += 2_299;
  expect(a.held().length).toBe(64);
  nowMs += 1;
  expect([a.held().length, a.lease(0)]).toEqual([0, undefined]);
  const b = worker("b");
  await b.round();
  expect(b.held()).toEqual([]);
  nowMs += 1_200;
  await b.round();
  expectSharedOut(b);
});

it("after an outage of the store every worker has a round to take back its partitions", async () => {
  const [a, b] = [worker("a"), worker("b")];
  await rounds(2, a, b);
  const before = b.held();
  nowMs += 20_000;
  await a.round();
  expect(a.held().length).toBe(32);
  await b.round();
  expect(b.held()).toEqual(before);
});

it("every change of the owner has a new epoch, and unchanged ownership keeps its own", async () => {
  const a = worker("a");
  await rounds(1, a);
  const first = a.lease(0);
  await rounds(3, a);
  expect(a.lease(0)).toBe(first);
  await a.stop();
  const b = worker("b");
  await rounds(1, b);
  expect(b.lease(0)?.epoch).toBe((first?.epoch ?? 0) + 1);
});

it("attempts in progress are hidden from the next owner before a partition is given up", async () => {
  const busy = new Set(Array.from({ length: 64 }, (_, id) => id));
  const hidden: number[] = [];
  const hold = (ids: readonly number[]) => {
    const owned = store
      .list(LEASE_MS)
      .then(({ documents }) => documents.filter(({ _id }) => ids.includes(_id)));
    hidden.push(...ids);
    return owned.then((leases) => expect(leases.every(({ expiresAt }) => +expiresAt > nowMs)).toBe(true));
  };
  const a = worker("a", { ...idle, busy: (partition) => busy.has(partition), hold });
  const b = worker("b");
  await rounds(1, a);
  await rounds(1, b, a);
  expect([a.held().length, hidden.length, b.held().length]).toEqual([32, 0, 0]);
  await rounds(1, a, b);
  expect(hidden.length).toBe(32);
  expectSharedOut(a, b);
});

it("a restarted worker of the same name has its partitions back at once", async () => {
  await rounds(1, worker("sole"));
  const again = worker("sole");
  await rounds(1, again);
  expectSharedOut(again);
});

it.each([
  ["ahead", HOUR_MS],
  ["behind", -HOUR_MS],
])(
  "a worker with a clock an hour %s has its share, and its partitions are taken over when it dies",
  async (_, aheadMs) => {
    const skews: number[] = [];
    const a = createPartitions({
      store,
      workerId: "a",
      partitionCount: PARTITION_COUNT,
      deliveries: idle,
      clock: clockAhead(aheadMs),
      log,
      onSkew: ({ skewMs }) => skews.push(skewMs),
    });
    const b = worker("b");
    await rounds(1, a);
    await rounds(3, b, a);
    expectSharedOut(a, b);
    expect([a.held().length, b.held().length]).toEqual([32, 32]);
    expect(skews).toEqual([aheadMs, aheadMs, aheadMs, aheadMs]);
    await rounds(5, b);
    expectSharedOut(b);
  },
);

it("dates leases and announcements by the store's own clock", async () => {
  const real = createPartitionStore(opened.db);
  const clock = clockAhead(HOUR_MS);
  const one = createPartitions({
    store: real,
    workerId: "a",
    partitionCount: PARTITION_COUNT,
    deliveries: idle,
    clock,
    log,
  });
  await one.round();
  await one.round();
  const storeTime = (await opened.db.command({ hello: 1 })).localTime.getTime();
  const dated = [
    ...(await opened.db.collection("partitions").find().toArray()),
    ...(await opened.db.collection("workers").find().toArray()),
  ].map(({ expiresAt }) => expiresAt.getTime());
  expect(dated.length).toBe(65);
  for (const ms of dated) {
    expect(ms).toBeLessThanOrEqual(storeTime + LEASE_MS);
    expect(ms).toBeGreaterThan(storeTime - 600_000);
  }
  await one.stop();
});

it("never accepts an expiry further ahead than the length of a lease", async () => {
  const expiresAt = new Date(nowMs + HOUR_MS);
  await opened.db
    .collection<{ _id: number }>("partitions")
    .insertMany(Array.from({ length: 64 }, (_, _id) => ({ _id, owner: "dead", epoch: 7, expiresAt })));
  await opened.db.collection<{ _id: string }>("workers").insertOne({ _id: "dead", expiresAt } as never);
  const a = worker("a");
  await rounds(1, a);
  expectSharedOut(a);
  expect(a.lease(0)?.epoch).toBe(8);
});

it.each([
  ["forward", 60_000],
  ["back", -60_000],
])("when the store's clock steps %s, every worker keeps its partitions", async (_, stepMs) => {
  let steppedMs = 0;
  const stepping = createPartitionStore(opened.db, () => new Date(nowMs + steppedMs));
  const [a, b] = ["a", "b"].map((workerId) =>
    createPartitions({
      store: stepping,
      workerId,
      partitionCount: PARTITION_COUNT,
      deliveries: idle,
      clock,
      log,
    }),
  ) as [Partitions, Partitions];
  await rounds(3, a, b);
  const held = () => [a, b].map((one) => one.held().toSorted((x, y) => x - y));
  const before = held();
  steppedMs = stepMs;
  await rounds(1, a, b);
  expect(held()).toEqual(before);
  await rounds(3, a, b);
  expect(held()).toEqual(before);
});
