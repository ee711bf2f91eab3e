import { falselyReady, falselyUnready, readyAgainMs } from "./check-readiness.ts";
import type { Arrival, History, Strike, Submission } from "./history.ts";

/** What a run has shown. */
export interface Verdict {
  readonly violations: Violations;
  readonly counts: Counts;
  /** Answers, arrivals and each process: from the end of the last strike until all was as it should be, if it was. */
  readonly recoveredMs: Readonly<Record<string, number | undefined>>;
}

/** Every list is empty when all guarantees hold. */
export interface Violations {
  /** Acknowledged, and arrived nowhere. */
  readonly lost: readonly number[];
  /** Arrived again, though nothing struck while its former arrival was being recorded. */
  readonly doubledWithoutCause: readonly number[];
  /** Refused for good as "nothing was stored", without a key to ask again by, and arrived all the same. */
  readonly deliveredAfterNo: readonly number[];
  /** With a key, and still not accepted after everything had healed. */
  readonly neverSettled: readonly number[];
  /** More arrived again than can have been in flight when something struck. */
  readonly doubledBeyondBound: number;
  /** Processes that said they were ready and were not. */
  readonly falselyReady: readonly string[];
  /** Processes that did not say they were ready, long after anything had struck them. */
  readonly falselyUnready: readonly string[];
  /** What was not as it should be within bounds after the last strike. */
  readonly recoveredLate: readonly string[];
}

export interface Counts {
  readonly submitted: number;
  readonly accepted: number;
  readonly refused: number;
  readonly unknown: number;
  readonly arrived: number;
  readonly doubled: number;
  /** Looks at /readyz, and those of them that did not find it ready. */
  readonly looks: number;
  readonly unreadyLooks: number;
}

/** In milliseconds, on a machine that has other things to do. */
export interface Bounds {
  /** Between the final dot and the record of its answer. */
  readonly recordingMs: number;
  /** Until a process knows that it cannot do its work: by what it asks itself, and by what becomes of submissions. */
  readonly noticeMs: { readonly ofItself: number; readonly bySubmissions: number };
  /** From the end of a strike until the processes that it concerns are ready. */
  readonly unreadyMs: number;
  /** From the end of the last strike until all has settled and arrived. */
  readonly recoveryMs: number;
  /** Deliveries that can be under way at once, in all workers. */
  readonly mostInFlight: number;
}

/** Answers that leave open whether something was stored, and say so. */
const OPEN_REASONS = new Set(["core.timeout", "core.connection_lost", "store.unavailable", "internal.error"]);

/** Holds what was seen from outside against what Hermod promises. */
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

/** Whether the former arrival was in flight, or being recorded, while the strike lasted. */
function mayHaveDoubled(strike: Strike, { atMs }: Arrival, { recordingMs }: Bounds): boolean {
  return strike.mayDouble && atMs >= strike.startedMs - recordingMs && atMs <= strike.endedMs + recordingMs;
}

/** How long after the last strike each thing was as it should be: at once is 0, never is undefined. */
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
