import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../harness/start-hermod.ts";
import { type Bounds, check, type Verdict } from "./check.ts";
import { createClients, numberOf } from "./clients.ts";
import { type Fault, faults } from "./faults.ts";
import type { Arrival, History, Incapacity, ReadinessLook, Strike } from "./history.ts";
import { makeDueIn } from "./queue.ts";
import { type Random, seededRandom } from "./random.ts";
import type { Supervised } from "./supervised.ts";
import type { World } from "./world.ts";

export interface NemesisOptions {
  readonly seed: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly domains: readonly string[];
  /** Maximum number of concurrent deliveries of all workers. */
  readonly mostInFlight: number;
  /** Kinds of faults. Missing: all that the world supports. */
  readonly only?: readonly string[] | undefined;
  /** Called for each strike and its end. */
  readonly onProgress: (line: string) => void;
}

export interface NemesisResult {
  readonly verdict: Verdict;
  readonly history: History;
}

/** Between one strike and the next. */
const PAUSE_MS = { least: 1_000, most: 6_000 };
const STRIKE_MS = { least: 1_000, most: 15_000 };
/** Interval of strikes with two concurrent faults. */
const TOGETHER_EVERY = 4;
const POLL_MS = 1_000;
const LOOK_TIMEOUT_MS = 5_000;
const MAKE_DUE_MS = 1_000;
const SLOW_DUE_MS = 5_000;
/** The number of remaining messages must decrease within this time, on any machine. */
const STALL_MS = 90_000;
const BOUNDS: Omit<Bounds, "mostInFlight"> = {
  recordingMs: 5_000,
  // A check waits for two seconds. A submission to the core fails after at most fifteen seconds.
  noticeMs: { ofItself: 6_000, bySubmissions: 20_000 },
  // Longer than a lease and a start.
  unreadyMs: 60_000,
  // A failed destination rests for up to a minute, and deferred messages are searched twice a minute.
  recoveryMs: 120_000,
};

/**
 * Runs load, with faults determined by a seed, until the time is over. Then everything is healed, senders query
 * unknown outcomes, and the observations are checked. A seed determines the faults and their times, but not their
 * effects.
 */
export async function runNemesis(world: World, options: NemesisOptions): Promise<NemesisResult> {
  const random = seededRandom(options.seed);
  const clients = createClients({ ...options, world, random: seededRandom(options.seed + 1) });
  const strikes: Strike[] = [];
  const incapacities: Incapacity[] = [];
  const stopLooking = keepLooking(world);
  const stopMakingDue = every(MAKE_DUE_MS, makeDue);
  const stopClients = new AbortController();
  const load = clients.run(stopClients.signal);
  const beganMs = performance.now();
  const { only } = options;
  const possible = faults.filter((fault) => fault.fits(world) && (!only || only.includes(fault.kind)));
  const next = drawInTurn(possible, random);

  async function strikeOnce(fault: Fault): Promise<void> {
    const lastsMs = random.between(STRIKE_MS.least, STRIKE_MS.most);
    // A separate source: two concurrent faults must not change each other's random numbers.
    const own = seededRandom(random.below(2 ** 31));
    const startedMs = performance.now();
    const strike: Strike = {
      name: fault.kind,
      mayDouble: fault.mayDouble,
      concerns: undefined,
      startedMs,
      endedMs: Number.POSITIVE_INFINITY,
    };
    const index = strikes.push(strike) - 1;
    const { what, undo, concerns, disables = [] } = await fault.strike(world, own);
    const fromMs = performance.now();
    strikes[index] = { ...strike, concerns };
    say(`${fault.kind}, ${what}, for ${(lastsMs / 1000).toFixed(1)} s`);
    await sleep(lastsMs);
    const untilMs = performance.now();
    for (const process of disables) incapacities.push({ process, fromMs, untilMs });
    await undo();
    strikes[index] = { ...strike, concerns, endedMs: performance.now() };
    say(`${fault.kind}, ${what}: over`);
  }

  /** Faults prevent this, too, and deferred messages wait longer: it is logged. */
  async function makeDue(): Promise<void> {
    const startedMs = performance.now();
    try {
      await world.withStore(makeDueIn);
    } catch (error) {
      say(`what waits could not be made due: ${error}`);
    }
    const tookMs = performance.now() - startedMs;
    if (tookMs > SLOW_DUE_MS) say(`making due what waits took ${(tookMs / 1000).toFixed(1)} s`);
  }

  function say(line: string): void {
    options.onProgress(`${((performance.now() - beganMs) / 1000).toFixed(1)} s: ${line}`);
  }

  try {
    for (let count = 1; performance.now() - beganMs < options.seconds * 1000; count++) {
      await sleep(random.between(PAUSE_MS.least, PAUSE_MS.most));
      const first = next(() => true);
      const second = count % TOGETHER_EVERY === 0 ? next(({ group }) => group !== first?.group) : undefined;
      await Promise.all([first, second].map((fault) => fault && strikeOnce(fault)));
    }
  } finally {
    stopClients.abort();
  }
  const healedMs = performance.now();
  say("all healed");
  await load;
  await untilArrived();
  await stopMakingDue();
  await untilReady(world);
  const readiness = await stopLooking();
  const { submissions } = clients;
  const history = { submissions, strikes, incapacities, healedMs, arrivals: arrivals(world), readiness };
  return { history, verdict: check(history, { ...BOUNDS, mostInFlight: options.mostInFlight }) };

  /** As long as messages arrive. */
  async function untilArrived(): Promise<void> {
    for (let left = missing(); left > 0; ) {
      const before = left;
      try {
        left = await eventually(async () => (missing() < before ? missing() : undefined), STALL_MS);
      } catch {
        // The checker reports missing messages as lost.
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

/**
 * Each fault once in random order, then again: a run of sufficient length has all of them. undefined: no remaining
 * one fits.
 */
function drawInTurn(possible: readonly Fault[], random: Random) {
  let left: Fault[] = [];
  return (suits: (fault: Fault) => boolean): Fault | undefined => {
    if (left.length === 0) left = [...possible];
    const suitable = left.filter(suits);
    if (suitable.length === 0) return undefined;
    const drawn = random.pick(suitable);
    left = left.filter((one) => one !== drawn);
    return drawn;
  };
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

/** Queries the readiness of each process repeatedly, and once more at the end. */
function keepLooking({ processes }: World): () => Promise<readonly ReadinessLook[]> {
  const looks: ReadinessLook[] = [];
  const look = async (process: Supervised) => {
    const askedMs = performance.now();
    const answer = await isReady(process);
    looks.push({ process: process.name, askedMs, answeredMs: performance.now(), isReady: answer });
  };
  const stops = processes.map((process) => every(POLL_MS, () => look(process)));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
    await Promise.all(processes.map(look));
    return looks;
  };
}

/** If this fails, the last check reports it. */
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
  await answer?.body?.cancel();
  return answer?.ok;
}
