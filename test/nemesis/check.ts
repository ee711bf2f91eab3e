import { falselyReady, falselyUnready, readyAgainMs } from "./check-readiness.ts";
import type { Arrival, History, Strike, Submission } from "./history.ts";

/** Result of a run. */
export interface Verdict {
  readonly violations: Violations;
  readonly counts: Counts;
  /** Recovery times of answers, arrivals and each process: from the end of the last strike. Undefined: no recovery. */
  readonly recoveredMs: Readonly<Record<string, number | undefined>>;
}

/** Every list is empty when all guarantees hold. */
export interface Violations {
  /** Acknowledged messages that arrived nowhere. */
  readonly lost: readonly number[];
  /** Repeated arrivals without a strike while the former arrival was being recorded. */
  readonly doubledWithoutCause: readonly number[];
  /** Messages without a key, permanently refused as "nothing was stored", that arrived anyway. */
  readonly deliveredAfterNo: readonly number[];
  /** Messages with a key that were still not accepted after everything had healed. */
  readonly neverSettled: readonly number[];
  /** Number of repeated arrivals beyond the messages in flight during strikes. */
  readonly doubledBeyondBound: number;
  /** Processes that reported ready but were not. */
  readonly falselyReady: readonly string[];
  /** Processes that reported unready long after any strike on them. */
  readonly falselyUnready: readonly string[];
  /** Parts that did not recover within the bounds after the last strike. */
  readonly recoveredLate: readonly string[];
}

export interface Counts {
  readonly submitted: number;
  readonly accepted: number;
  readonly refused: number;
  readonly unknown: number;
  readonly arrived: number;
  readonly doubled: number;
  /** Checks of /readyz, and those that did not find it ready. */
  readonly looks: number;
  readonly unreadyLooks: number;
}

/** In milliseconds, on a busy machine. */
export interface Bounds {
  /** Between the final dot and the record of its answer. */
  readonly recordingMs: number;
  /** Time until a process notices that it cannot work: by its own checks, and by the results of submissions. */
  readonly noticeMs: { readonly ofItself: number; readonly bySubmissions: number };
  /** Time from the end of a strike until the affected processes are ready. */
  readonly unreadyMs: number;
  /** Time from the end of the last strike until everything has settled and arrived. */
  readonly recoveryMs: number;
  /** Maximum number of concurrent deliveries in all workers. */
  readonly mostInFlight: number;
}

/** Answers that state that the outcome is unknown. */
const OPEN_REASONS = new Set(["core.timeout", "core.connection_lost", "store.unavailable", "internal.error"]);

/** Compares the observations from outside with Hermod's guarantees. */
export function check(history: History, bounds: Bounds): Verdict {
  const { submissions, strikes, readiness } = history;
  const arrived = byNumber(history.arrivals);
  const accepted = submissions.filter(isAccepted);
  const lost = accepted.filter((one) => !arrived.has(one.number));
  const doubled = [...arrived].filter(([, times]) => times.length > 1);
  const withoutCause = doubled.filter(([, times]) =>
    times.slice(0, -1).some((former) => !strikes.some((strike) => mayHaveDoubled(strike, former, bounds))),
  );
  const mayDouble = strikes.filter((strike) => strike.mayDouble).length;
  const refused = submissions.filter((one) => !one.hasKey && isRefusedForGood(one));
  const recovery = recoveriesMs(history, arrived);
  const isLate = (ms: number | undefined) => ms === undefined || ms > bounds.recoveryMs;
  return {
    violations: {
      lost: numbersOf(lost),
      doubledWithoutCause: withoutCause.map(([number]) => number),
      deliveredAfterNo: numbersOf(refused.filter(({ number }) => arrived.has(number))),
      neverSettled: numbersOf(submissions.filter((one) => one.hasKey && !isAccepted(one))),
      doubledBeyondBound: Math.max(0, doubled.length - mayDouble * bounds.mostInFlight),
      falselyReady: [...new Set(falselyReady(history, bounds).map(({ process }) => process))],
      falselyUnready: [...new Set(falselyUnready(history, bounds).map(({ process }) => process))],
      recoveredLate: [...recovery].filter(([, ms]) => isLate(ms)).map(([name]) => name),
    },
    counts: {
      submitted: submissions.length,
      accepted: accepted.length,
      refused: submissions.filter(({ tries }) => tries[0]?.outcome === "refused").length,
      unknown: submissions.filter(({ tries }) => tries[0]?.outcome === "unknown").length,
      arrived: arrived.size,
      doubled: doubled.length,
      looks: readiness.length,
      unreadyLooks: readiness.filter(({ isReady }) => isReady !== true).length,
    },
    recoveredMs: Object.fromEntries(recovery),
  };
}

function byNumber(arrivals: readonly Arrival[]): ReadonlyMap<number, readonly Arrival[]> {
  const arrived = new Map<number, Arrival[]>();
  for (const arrival of arrivals) {
    const known = arrived.get(arrival.number);
    if (known) known.push(arrival);
    else arrived.set(arrival.number, [arrival]);
  }
  return arrived;
}

function numbersOf(submissions: readonly Submission[]): readonly number[] {
  return submissions.map(({ number }) => number);
}

function isAccepted({ tries }: Submission): boolean {
  return tries.some(({ outcome }) => outcome === "accepted");
}

function isRefusedForGood({ tries }: Submission): boolean {
  return (
    tries.length > 0 &&
    tries.every(({ outcome, reason }) => outcome === "refused" && !OPEN_REASONS.has(reason))
  );
}

/** Whether the former arrival was in flight, or being recorded, during the strike. */
function mayHaveDoubled(strike: Strike, { atMs }: Arrival, { recordingMs }: Bounds): boolean {
  return strike.mayDouble && atMs >= strike.startedMs - recordingMs && atMs <= strike.endedMs + recordingMs;
}

/** Recovery time of each part after the last strike: 0 is immediate, undefined is never. */
function recoveriesMs(
  { submissions, readiness, healedMs }: History,
  arrived: ReadonlyMap<number, readonly Arrival[]>,
): ReadonlyMap<string, number | undefined> {
  const afterMs = (atMs: number | undefined) =>
    atMs === undefined ? undefined : Math.max(0, atMs - healedMs);
  const latest = (moments: readonly number[]) =>
    moments.reduce((last, atMs) => Math.max(last, atMs), healedMs);
  const answers = submissions.map(({ tries }) => latest(tries.map(({ endedMs }) => endedMs)));
  const arrivals = [...arrived.values()].map(([first]) => first?.atMs ?? healedMs);
  const processes = [...new Set(readiness.map(({ process }) => process))];
  return new Map([
    ["answers", afterMs(latest(answers))],
    ["arrivals", afterMs(latest(arrivals))],
    ...processes.map((name): [string, number | undefined] => [name, afterMs(readyAgainMs(readiness, name))]),
  ]);
}
