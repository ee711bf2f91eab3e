import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../harness/start-hermod.ts";
import { check, type Verdict } from "./check.ts";
import { createClients, numberOf } from "./clients.ts";
import { type Fault, faults, type Undo } from "./faults.ts";
import type { Arrival, ReadinessLook, Strike, Submission } from "./history.ts";
import { seededRandom } from "./random.ts";
import type { Supervised } from "./supervised.ts";
import type { World } from "./world.ts";

export interface NemesisOptions {
  readonly seed: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly domains: readonly string[];
  /** Deliveries that all workers have under way at once at most. */
  readonly mostInFlight: number;
  /** Told of each strike and its end. */
  readonly onProgress: (line: string) => void;
}

export interface NemesisResult {
  readonly verdict: Verdict;
  readonly strikes: readonly Strike[];
  readonly submissions: readonly Submission[];
  /** From the end of the last strike until everything that was accepted had arrived, in milliseconds. */
  readonly recoveredMs: number;
}

/** Between one strike and the next. */
const PAUSE_MS = { least: 2_000, most: 8_000 };
const STRIKE_MS = { least: 1_000, most: 15_000 };
/** Every so many strikes two come at once. */
const TOGETHER_EVERY = 4;
const LOOK_MS = 1_000;
const LOOK_TIMEOUT_MS = 5_000;
const MAKE_DUE_MS = 1_000;
/** What is left to arrive must grow less within this, on a machine however slow. */
const STALL_MS = 90_000;
const RECORDING_MS = 5_000;
const RECOVERY_MS = 30_000;

/**
 * Load, and faults that a seed draws, until the time is over; then everything is healed, senders ask again for what
 * they do not know, and what was seen is checked. Which faults come, and when, is the same for the same seed; what they
 * meet is not.
 */
export async function runNemesis(world: World, options: NemesisOptions): Promise<NemesisResult> {
  const random = seededRandom(options.seed);
  const clients = createClients({ ...options, world, random: seededRandom(options.seed + 1) });
  const strikes: Strike[] = [];
  const stopLooking = keepLooking(world);
  const stopMakingDue = every(MAKE_DUE_MS, () => world.makeDue());
  const stopClients = new AbortController();
  const load = clients.run(stopClients.signal);
  const beganMs = performance.now();
  const possible = faults.filter(({ fits }) => fits(world));

  async function strikeOnce(fault: Fault): Promise<void> {
    const lastsMs = random.between(STRIKE_MS.least, STRIKE_MS.most);
    const strike = {
      name: fault.kind,
      mayDouble: fault.mayDouble,
      startedMs: performance.now(),
      endedMs: Number.POSITIVE_INFINITY,
    };
    strikes.push(strike);
    let undo: Undo = async () => undefined;
    let what = "";
    try {
      ({ what, undo } = await fault.strike(world, random));
      options.onProgress(
        `${seconds(beganMs)} s: ${fault.kind}, ${what}, for ${(lastsMs / 1000).toFixed(1)} s`,
      );
      await sleep(lastsMs);
    } finally {
      await undo();
      strike.endedMs = performance.now();
      options.onProgress(`${seconds(beganMs)} s: ${fault.kind}, ${what}: over`);
    }
  }

  try {
    for (let count = 1; performance.now() - beganMs < options.seconds * 1000; count++) {
      await sleep(random.between(PAUSE_MS.least, PAUSE_MS.most));
      const drawn = Array.from({ length: count % TOGETHER_EVERY === 0 ? 2 : 1 }, () => random.pick(possible));
      await Promise.all([...new Set(drawn)].map(strikeOnce));
    }
  } finally {
    stopClients.abort();
  }
  const healedMs = performance.now();
  await load;
  options.onProgress(`${seconds(beganMs)} s: all healed; senders ask again`);
  await clients.settle();
  await untilArrived();
  const recoveredMs = performance.now() - healedMs;
  await stopMakingDue();
  await untilReady(world);
  const readiness = await stopLooking();
  const { submissions } = clients;
  const bounds = {
    recordingMs: RECORDING_MS,
    recoveryMs: RECOVERY_MS,
    mostInFlight: options.mostInFlight,
  };
  const verdict = check({ submissions, strikes, arrivals: arrivals(world), readiness }, bounds);
  return { verdict, strikes, submissions, recoveredMs };

  /** As long as something still arrives. */
  async function untilArrived(): Promise<void> {
    for (let left = missing(); left > 0; ) {
      const before = left;
      try {
        left = await eventually(async () => (missing() < before ? missing() : undefined), STALL_MS);
      } catch {
        // What is missing now is what the checker finds lost.
        return;
      }
    }
  }

  function missing(): number {
    const there = new Set(arrivals(world).map(({ number }) => number));
    return clients.submissions.filter(
      ({ number, tries }) => tries.some(({ outcome }) => outcome === "accepted") && !there.has(number),
    ).length;
  }
}

function seconds(sinceMs: number): string {
  return ((performance.now() - sinceMs) / 1000).toFixed(1);
}

function arrivals({ network }: World): Arrival[] {
  return [...network.receipts.values()]
    .flat()
    .map(({ to, atMs }) => ({ number: numberOf(to[0] ?? ""), atMs }));
}

function every(ms: number, work: () => Promise<void>): () => Promise<void> {
  let going = true;
  const loop = (async () => {
    while (going) {
      await work().catch(() => undefined);
      await sleep(ms);
    }
  })();
  return () => {
    going = false;
    return loop;
  };
}

/** Asks every process for its readiness again and again, and once more at the end. */
function keepLooking({ processes }: World): () => Promise<readonly ReadinessLook[]> {
  const looks: ReadinessLook[] = [];
  const look = async () => {
    await Promise.all(
      processes.map(async (process) => {
        const atMs = performance.now();
        looks.push({ process: process.name, atMs, isReady: await isReady(process) });
      }),
    );
  };
  const stop = every(LOOK_MS, look);
  return async () => {
    await stop();
    await look();
    return looks;
  };
}

/** When it does not come to that, the last look tells. */
async function untilReady({ processes }: World): Promise<void> {
  const all = async () => (await Promise.all(processes.map(isReady))).every((answer) => answer === true);
  await eventually(async () => ((await all()) ? true : undefined), STALL_MS).catch(() => undefined);
}

/** undefined: no answer. */
async function isReady({ adminUrl }: Supervised): Promise<boolean | undefined> {
  const url = adminUrl();
  if (url === undefined) return undefined;
  const signal = AbortSignal.timeout(LOOK_TIMEOUT_MS);
  const answer = await fetch(`${url}/readyz`, { signal }).catch(() => undefined);
  return answer?.ok;
}
