import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createPartitions, type Partitions } from "../../src/delivery/partitions.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { createPartitionStore, type PartitionStore } from "../../src/store/partition-store.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

let opened: TestStore;
let store: PartitionStore;
let nowMs: number;

const clock = { now: () => new Date(nowMs), monotonicMs: () => nowMs };
const log = createLogger("silent");

beforeAll(async () => {
  opened = await openTestStore();
  store = createPartitionStore(opened.db);
});
afterAll(() => opened.close());
beforeEach(async () => {
  await opened.db.collection("partitions").deleteMany({});
  await opened.db.collection("workers").deleteMany({});
  nowMs = Date.UTC(2030, 0, 1);
});

function worker(workerId: string, busy: (partition: number) => boolean = () => false): Partitions {
  return createPartitions({ store, workerId, busy, clock, log });
}

/** A few rounds of all of them, two seconds apart, as their timers would have it. */
async function rounds(count: number, ...workers: Partitions[]): Promise<void> {
  for (let i = 0; i < count; i++) {
    nowMs += 2_000;
    for (const one of workers) await one.round();
  }
}

function expectSharedOut(...workers: Partitions[]): void {
  const all = workers.flatMap((one) => one.held());
  expect(all.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 64 }, (_, id) => id));
}

it("one worker holds everything; two and three share it out, each partition with one of them", async () => {
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

it("what a dead worker held is taken over when its lease runs out, and not before", async () => {
  const [a, b] = [worker("a"), worker("b")];
  await rounds(2, a, b);
  await rounds(3, b);
  expect(b.held().length).toBe(32);
  await rounds(3, b);
  expectSharedOut(b);
});

it("a worker that leaves gives everything up at once", async () => {
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
  nowMs += 7_999;
  expect(a.held().length).toBe(64);
  nowMs += 1;
  expect([a.held().length, a.holds(0)]).toEqual([0, false]);
  const b = worker("b");
  await b.round();
  expect(b.held()).toEqual([]);
  nowMs += 2_000;
  await b.round();
  expectSharedOut(b);
});

it("a partition over the share is not handed on while a message of it is being delivered", async () => {
  const busy = new Set<number>();
  const a = worker("a", (partition) => busy.has(partition));
  const b = worker("b");
  await rounds(1, a);
  for (let id = 0; id < 64; id++) busy.add(id);
  await rounds(3, a, b);
  expect([a.held().length, b.held().length]).toEqual([32, 0]);
  busy.clear();
  await rounds(2, a, b);
  expectSharedOut(a, b);
});

it("a restarted worker of the same name has its partitions back at once", async () => {
  await rounds(1, worker("sole"));
  const again = worker("sole");
  await rounds(1, again);
  expectSharedOut(again);
});
