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
  /** Deliveries that all workers have under way at once at most. */
  readonly mostInFlight: number;
  /** Kinds; missing: all that the world can have. */
  readonly only?: readonly string[] | undefined;
  /** Told of each strike and its end. */
  readonly onProgress: (line: string) => void;
}

export interface NemesisResult {
  readonly verdict: Verdict;
  readonly history: History;
}

/** Between one strike and the next. */
const PAUSE_MS = { least: 1_000, most: 6_000 };
const STRIKE_MS = { least: 1_000, most: 15_000 };
/** Every so many strikes two come at once. */
const TOGETHER_EVERY = 4;
const LOOK_MS = 1_000;
const LOOK_TIMEOUT_MS = 5_000;
const MAKE_DUE_MS = 1_000;
const SLOW_DUE_MS = 5_000;
/** What is left to arrive must grow less within this, on a machine however slow. */
const STALL_MS = 90_000;
const BOUNDS: Omit<Bounds, "mostInFlight"> = {
  recordingMs: 5_000,
  // A check waits for two seconds; a submission to the core fails after fifteen at the latest.
  noticeMs: { ofItself: 6_000, bySubmissions: 20_000 },
  // Longer than a lease and a start.
  unreadyMs: 60_000,
  // A destination that failed rests for up to a minute, and what was put off is looked for twice a minute.
  recoveryMs: 120_000,
};

/**
 * Load, and faults that a seed draws, until the time is over; then everything is healed, senders ask again for what
 * they do not know, and what was seen is checked. Which faults come, and when, is the same for the same seed; what they
 * meet is not.
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
    // Of its own: two that come at once must not change what the other one draws.
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

  /** Faults keep it from that, too, and what was put off waits as long: it is told. */
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

/** Each in a drawn order, then each again: a run of some length has all of them. undefined: none that is left suits. */
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

/** Asks each process for its readiness again and again, and once more at the end. */
function keepLooking({ processes }: World): () => Promise<readonly ReadinessLook[]> {
  const looks: ReadinessLook[] = [];
  const look = async (process: Supervised) => {
    const askedMs = performance.now();
    const answer = await isReady(process);
    looks.push({ process: process.name, askedMs, answeredMs: performance.now(), isReady: answer });
  };
  const stops = processes.map((process) => every(LOOK_MS, () => look(process)));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
    await Promise.all(processes.map(look));
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
  await answer?.body?.cancel();
  return answer?.ok;
}
