import type { Bounds } from "./check.ts";
import type { History, ReadinessLook, Strike, Try } from "./history.ts";

/** Number of refusals that show a front end that it does not work. */
const TURNED_AWAY = 5;

/**
 * Checks that found a process ready although it could not work:
 *
 * - its dependencies had been unavailable for longer than it may take to notice, until after its answer, or
 * - of all submissions that started within such a time before, none was accepted, and several were refused.
 */
export function falselyReady(
  { readiness, incapacities, submissions }: History,
  { noticeMs }: Bounds,
): readonly ReadinessLook[] {
  const tries = submissions.flatMap((one) => one.tries);
  return readiness.filter((check) => check.isReady === true && (isDeprived(check) || turnsAway(check)));

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

/** Checks that found a process unready for longer than allowed without a strike that concerns it. */
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

/** End of the last strike on the process before a time. */
function lastStruckMs(strikes: readonly Strike[], process: string, atMs: number): number {
  const ends = strikes
    .filter(
      ({ startedMs, concerns }) =>
        startedMs <= atMs && (concerns === undefined || concerns.includes(process)),
    )
    .map(({ endedMs }) => endedMs);
  return Math.max(Number.NEGATIVE_INFINITY, ...ends);
}

/** Time from which on the process was ready; undefined: it was not at the last check. */
export function readyAgainMs(readiness: readonly ReadinessLook[], process: string): number | undefined {
  const own = readiness.filter((check) => check.process === process);
  const lastUnready = own.findLastIndex(({ isReady }) => isReady !== true);
  return own[lastUnready + 1]?.answeredMs;
}
