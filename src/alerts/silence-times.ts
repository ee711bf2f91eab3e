import { type CompiledQuietHours, type QuietHours, quietHoursOf } from "./quiet-hours.ts";

/** Times at which a silence is in effect. */
export interface SilenceTimes {
  readonly startsAt: Date;
  /**
   * End of a silence without windows. A weekly silence has `recursUntil` in its place, so that an earlier release, which knows no
   * windows, does not apply it to the time between them.
   */
  readonly endsAt?: Date;
  /** Windows of the local week in which a weekly silence is in effect; missing: from start to end. */
  readonly weekly?: QuietHours;
  /** End of a weekly silence; `NO_END` if it has none. */
  readonly recursUntil?: Date;
}

/** Stored as the end of a weekly silence without one, so that one index finds all that have not ended. */
export const NO_END = new Date("9999-12-31T23:59:59.999Z");

/** End of a silence; `NO_END` if it has none. */
export function endOfSilence({ endsAt, recursUntil }: SilenceTimes): Date {
  return endsAt ?? recursUntil ?? NO_END;
}

/** Time for which an expired silence stays visible. */
export const SILENCE_KEPT_MS = 90 * 86_400_000;

/** Time ahead within which the end of windows is searched (`CompiledQuietHours.endsAt`). */
const SEARCHED_MS = 8 * 86_400_000;
const MINUTE_MS = 60_000;

/**
 * Returns the time until which a silence is in effect without a break, or eight days ahead if its windows do not end before;
 * undefined if it is not in effect at the given time. Windows begin and end with a minute, so one evaluation per minute serves any
 * number of alerts.
 */
export function createEffectUntil(silence: SilenceTimes): (at: Date) => Date | undefined {
  const { startsAt, weekly } = silence;
  const end = endOfSilence(silence);
  const isWithin = (at: Date) => startsAt <= at && at < end;
  if (!weekly) return (at) => (isWithin(at) ? end : undefined);
  let known: { readonly minute: number; readonly until: Date | undefined } | undefined;
  return (at) => {
    if (!isWithin(at)) return undefined;
    const minute = Math.floor(at.getTime() / MINUTE_MS);
    if (known?.minute !== minute) {
      const hours = hoursOf(weekly);
      const ahead = new Date(at.getTime() + SEARCHED_MS);
      known = { minute, until: hours?.isQuiet(at) ? earlier(hours.endsAt(at) ?? ahead, end) : undefined };
    }
    return known.until;
  };
}

/** Time at which a silence is in effect next, from the given time on; undefined if it never is again. */
export function nextEffectOf(silence: SilenceTimes, at: Date): Date | undefined {
  const from = silence.startsAt > at ? silence.startsAt : at;
  const begin = silence.weekly ? hoursOf(silence.weekly)?.beginsAt(from) : from;
  return begin && begin < endOfSilence(silence) ? begin : undefined;
}

/**
 * undefined if this program does not know the time zone, which another one has stored: the silence is never in effect, so that no
 * notification is lost.
 */
function hoursOf(weekly: QuietHours): CompiledQuietHours | undefined {
  try {
    return quietHoursOf(weekly);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}
