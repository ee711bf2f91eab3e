import { describe, expect, it } from "vitest";
import { createSimulation, type Simulation, TICK_MS } from "../harness/simulated-workers.ts";

const ACCOUNTS = 10_000;
const LARGEST = "gmail.com";
const TICKS_PER_SECOND = 1_000 / TICK_MS;

/** Numbers from 0 to 1 that are the same in every run. */
function createRandom(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Where mail goes: the part of each provider, and the rest to three hundred small ones. */
const parts: readonly (readonly [domain: string, part: number])[] = [
  [LARGEST, 0.45],
  ["outlook.com", 0.2],
  ["yahoo.com", 0.12],
  ["icloud.com", 0.08],
  ["gmx.net", 0.05],
];

function domainAt(place: number): string {
  let rest = place;
  for (const [domain, part] of parts) {
    if (rest < part) return domain;
    rest -= part;
  }
  return `domain${Math.floor(rest * 2_999)}.example`;
}

interface World {
  readonly simulation: Simulation;
  /** Messages of some accounts much, of most seldom. */
  submit(count: number): Promise<void>;
  /**
   * Lets time pass, in which so many messages come each second.
   * @returns the deliveries under way to the largest provider, at each tick
   */
  pass(seconds: number, messagesPerSecond?: number): Promise<number[]>;
}

function createWorld(workers: number, allowance: number): World {
  const random = createRandom();
  const tookMs = () => 500 + random() * 500;
  const simulation = createSimulation({ partitions: 192, allowance, tookMs });
  for (let n = 0; n < workers; n++) simulation.join();
  let due = 0;

  async function submit(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      const account = `acc_${Math.floor(random() ** 2 * ACCOUNTS)}`;
      await simulation.submit(account, domainAt(random()));
    }
  }

  return {
    simulation,
    submit,
    pass: async (seconds, messagesPerSecond = 0) => {
      const used: number[] = [];
      for (let tick = 0; tick < seconds * TICKS_PER_SECOND; tick++) {
        due += messagesPerSecond / TICKS_PER_SECOND;
        await submit(Math.floor(due));
        due -= Math.floor(due);
        await simulation.tick();
        used.push(simulation.connections(LARGEST));
      }
      return used;
    },
  };
}

/** Nine tenths at least, and no more in the long run but for those that change over at the beginning of a turn. */
function expectUsed(used: readonly number[], allowance: number): void {
  const average = used.reduce((sum, one) => sum + one, 0) / used.length;
  expect(average).toBeGreaterThanOrEqual(0.9 * allowance);
  expect(average).toBeLessThanOrEqual(1.1 * allowance);
}

describe("the limit of the largest provider", () => {
  // Divided by their number, and with one of them having all mail of a policy to it, it was used to 20, 4, 1 and 1.
  it.each([1, 5, 20, 50])("of 20 concurrent deliveries is used, by %i workers", async (workers) => {
    const world = createWorld(workers, 20);
    await world.submit(4_000);
    const starting = await world.pass(10);
    expect(Math.max(...starting)).toBeLessThanOrEqual(20 + workers);
    const used = await world.pass(12, 50);
    expectUsed(used, 20);
    expect(Math.max(...used)).toBeLessThanOrEqual(20 + workers);
  });

  it("of 200 is used, by 50 workers, and respected while workers join, die and leave", async () => {
    const world = createWorld(50, 200);
    const { simulation } = world;
    const RATE = 400;
    await world.submit(10_000);
    const used = [await world.pass(6, RATE)];
    const steady = [await world.pass(5, RATE)];
    for (let n = 0; n < 10; n++) simulation.join();
    used.push(await world.pass(7, RATE));
    steady.push(await world.pass(3, RATE));
    for (const one of simulation.workers().slice(0, 10)) one.crash();
    used.push(await world.pass(7, RATE));
    steady.push(await world.pass(3, RATE));
    for (const one of simulation.workers().slice(0, 10)) one.leave();
    used.push(await world.pass(7, RATE));
    steady.push(await world.pass(3, RATE));
    expect(simulation.workers()).toHaveLength(40);
    for (const each of steady) expectUsed(each, 200);
    // Sixty workers at the most.
    expect(Math.max(...used.flat(), ...steady.flat())).toBeLessThanOrEqual(200 + 60);
  });
});

describe("a worker with few messages", () => {
  it("leaves the limit to those with many, and its own do not wait for theirs", async () => {
    const world = createWorld(50, 20);
    const { simulation } = world;
    // One account's mail lies in one partition, and so with one worker.
    for (let n = 0; n < 2_000; n++) await simulation.submit("acc_large", LARGEST);
    await world.pass(15);
    expectUsed(await world.pass(5), 20);
    const before = simulation.delivered("acc_small");
    for (let n = 0; n < 10; n++) {
      await simulation.submit("acc_small", LARGEST);
      await world.pass(1);
    }
    expect(simulation.delivered("acc_small") - before).toBe(10);
    expectUsed(await world.pass(5), 20);
  });
});
