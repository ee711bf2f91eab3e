import type { Arrival, History, ReadinessLook, Strike, Submission } from "./history.ts";

/** What a run has shown. Every list is empty when all guarantees hold. */
export interface Verdict {
  /** Acknowledged, and arrived nowhere. */
  readonly lost: readonly number[];
  /** Arrived again, though nothing struck while its former arrival was being recorded. */
  readonly doubledWithoutCause: readonly number[];
  /** Refused for good as "nothing was stored", without a key to ask again by, and arrived all the same. */
  readonly deliveredAfterNo: readonly number[];
  /** With a key, and still not accepted after everything had healed. */
  readonly neverSettled: readonly number[];
  /** Processes that did not say they were ready when they were looked at last, long after all had healed. */
  readonly stillUnready: readonly string[];
  /** More arrived again than can have been in flight when something struck. */
  readonly doubledBeyondBound: number;
  readonly counts: Counts;
}

export interface Counts {
  readonly submitted: number;
  readonly accepted: number;
  readonly refused: number;
  readonly unknown: number;
  readonly arrived: number;
  readonly doubled: number;
  /** Looks at /readyz that found a process unready though nothing struck, and nothing had for a while. */
  readonly unreadyLooks: number;
}

export interface Bounds {
  /** Between the final dot and the record of its answer, on a busy machine. */
  readonly recordingMs: number;
  /** After the end of a strike: what it caused may show until then. */
  readonly recoveryMs: number;
  /** Deliveries that can be under way at once, in all workers. */
  readonly mostInFlight: number;
}

/** Answers that leave open whether something was stored, and say so. */
const OPEN_REASONS = new Set(["core.timeout", "core.connection_lost", "store.unavailable", "internal.error"]);

/** Holds what was seen from outside against what Hermod promises. */
export function check(history: History, bounds: Bounds): Verdict {
  const { submissions, strikes, arrivals, readiness } = history;
  const arrived = new Map<number, Arrival[]>();
  for (const arrival of arrivals) {
    const known = arrived.get(arrival.number);
    if (known) known.push(arrival);
    else arrived.set(arrival.number, [arrival]);
  }
  const isAccepted = ({ tries }: Submission) => tries.some(({ outcome }) => outcome === "accepted");
  const lost = submissions.filter((one) => isAccepted(one) && !arrived.has(one.number));
  const doubled = [...arrived].filter(([, times]) => times.length > 1);
  const withoutCause = doubled.filter(([, times]) =>
    times.slice(0, -1).some((former) => !strikes.some((strike) => mayHaveDoubled(strike, former, bounds))),
  );
  const mayDouble = strikes.filter((strike) => strike.mayDouble).length;
  const refused = submissions.filter((one) => !one.hasKey && isRefusedForGood(one));
  return {
    lost: lost.map(({ number }) => number),
    doubledWithoutCause: withoutCause.map(([number]) => number),
    deliveredAfterNo: refused.filter(({ number }) => arrived.has(number)).map(({ number }) => number),
    neverSettled: submissions.filter((one) => one.hasKey && !isAccepted(one)).map(({ number }) => number),
    stillUnready: lastLooks(readiness)
      .filter(({ isReady }) => isReady !== true)
      .map(({ process }) => process),
    doubledBeyondBound: Math.max(0, doubled.length - mayDouble * bounds.mostInFlight),
    counts: {
      submitted: submissions.length,
      accepted: submissions.filter(isAccepted).length,
      refused: submissions.filter(({ tries }) => tries[0]?.outcome === "refused").length,
      unknown: submissions.filter(({ tries }) => tries[0]?.outcome === "unknown").length,
      arrived: arrived.size,
      doubled: doubled.length,
      unreadyLooks: readiness.filter(
        ({ isReady, atMs }) => isReady !== true && !strikes.some((one) => mayShow(one, atMs, bounds)),
      ).length,
    },
  };
}

function isRefusedForGood({ tries }: Submission): boolean {
  return (
    tries.length > 0 &&
    tries.every(({ outcome, reason }) => outcome === "refused" && !OPEN_REASONS.has(reason))
  );
}

/** Of each process. */
function lastLooks(readiness: readonly ReadinessLook[]): readonly ReadinessLook[] {
  return [...new Map(readiness.map((look) => [look.process, look])).values()];
}

/** Whether the former arrival was in flight, or being recorded, while the strike lasted. */
function mayHaveDoubled(strike: Strike, { atMs }: Arrival, { recordingMs }: Bounds): boolean {
  return strike.mayDouble && atMs >= strike.startedMs - recordingMs && atMs <= strike.endedMs + recordingMs;
}

function mayShow({ startedMs, endedMs }: Strike, atMs: number, { recoveryMs }: Bounds): boolean {
  return atMs >= startedMs && atMs <= endedMs + recoveryMs;
}
