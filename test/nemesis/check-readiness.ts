import type { Bounds } from "./check.ts";
import type { History, ReadinessLook, Strike, Try } from "./history.ts";

/** So many who were turned away show that a front end does not work, and let it know. */
const TURNED_AWAY = 5;

/**
 * Looks that found a process ready though it cannot have done its work:
 *
 * - what it needs had been away for longer than it may take to notice, and was away until it had answered, or
 * - of all that began to be submitted to it in so long a time before, nothing was accepted, and several had been told.
 */
export function falselyReady(
  { readiness, incapacities, submissions }: History,
  { noticeMs }: Bounds,
): readonly ReadinessLook[] {
  const tries = submissions.flatMap((one) => one.tries);
  return readiness.filter((look) => look.isReady === true && (isDeprived(look) || turnsAway(look)));

  function isDeprived({ process, askedMs, answeredMs }: ReadinessLook): boolean {
    return incapacities.some(
      (one) =>
        one.process === process && askedMs >= one.fromMs + noticeMs.ofItself && answeredMs <= one.untilMs,
    );
  }

  function turnsAway({ process, askedMs }: ReadinessLook): boolean {
    const began = tries.filter(
      ({ via, startedMs }) =>
        via === process && startedMs >= askedMs - noticeMs.bySubmissions && startedMs <= askedMs,
    );
    const isAccepted = ({ outcome }: Try) => outcome === "accepted";
    return !began.some(isAccepted) && began.filter(({ endedMs }) => endedMs <= askedMs).length >= TURNED_AWAY;
  }
}

/** Looks that found a process unready for longer than it may be while nothing strikes that concerns it. */
export function falselyUnready(
  { readiness, strikes }: History,
  { unreadyMs }: Bounds,
): readonly ReadinessLook[] {
  const unreadySince = new Map<string, number>();
  return readiness.filter(({ process, askedMs, isReady }) => {
    if (isReady === true) {
      unreadySince.delete(process);
      return false;
    }
    const sinceMs = unreadySince.get(process) ?? askedMs;
    unreadySince.set(process, sinceMs);
    const struckMs = lastStruckMs(strikes, process, askedMs);
    return askedMs - Math.max(sinceMs, struckMs) > unreadyMs;
  });
}

/** Until when something struck the process, as far as that moment. */
function lastStruckMs(strikes: readonly Strike[], process: string, atMs: number): number {
  const ends = strikes
    .filter(
      ({ startedMs, concerns }) =>
        startedMs <= atMs && (concerns === undefined || concerns.includes(process)),
    )
    .map(({ endedMs }) => endedMs);
  return Math.max(Number.NEGATIVE_INFINITY, ...ends);
}

/** When the process was ready from then on; undefined: it was not at the last look. */
export function readyAgainMs(readiness: readonly ReadinessLook[], process: string): number | undefined {
  const own = readiness.filter((look) => look.process === process);
  const lastUnready = own.findLastIndex(({ isReady }) => isReady !== true);
  return own[lastUnready + 1]?.answeredMs;
}
