import type { Severity } from "./alert.ts";

/** A time of each day, or of some, in which nobody is to be disturbed. */
export interface QuietWindow {
  /** Days on which it begins: 1 is Monday, 7 Sunday. Empty: all. */
  readonly days: readonly number[];
  /** `22:00`: from then on. */
  readonly from: string;
  /** `07:00`: until before then; if not later than `from`, on the next day. */
  readonly to: string;
}

export interface QuietHours {
  /** An IANA time zone, as `Europe/Berlin`. */
  readonly zone: string;
  readonly windows: readonly QuietWindow[];
}

interface CompiledQuietHours {
  isQuiet(at: Date): boolean;
  /** The first minute that is not quiet, this one or later; undefined: there is none within eight days. */
  endsAt(at: Date): Date | undefined;
}

/** Settings of a rule that say when its mail waits. */
interface QuietSettings {
  readonly quiet?: QuietHours;
  readonly quietHoldsCritical: boolean;
}

/** Where quiet hours never end, it is looked again after so long. */
const DAY_MS = 86_400_000;

/** When mail of this severity may be sent again; undefined: it may be at that time. */
export function quietUntil(
  { quiet, quietHoldsCritical }: QuietSettings,
  severity: Severity,
  at: Date,
): Date | undefined {
  if (!quiet || (severity === "critical" && !quietHoldsCritical)) return undefined;
  const hours = quietHoursOf(quiet);
  if (!hours.isQuiet(at)) return undefined;
  return hours.endsAt(at) ?? new Date(at.getTime() + DAY_MS);
}

const CLOCK = /^([01]\d|2[0-3]):([0-5]\d)$/;
const DAY_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;
const MOST_MINUTES = 8 * DAY_MINUTES;
const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

/** Minutes since midnight; undefined: it is no time of the day. */
export function minutesOf(clock: string): number | undefined {
  const [, hours, minutes] = CLOCK.exec(clock) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

const compiled = new WeakMap<QuietHours, CompiledQuietHours>();

/** The same, compiled once for each version of a rule: that takes longer than all that is asked of it. */
function quietHoursOf(quiet: QuietHours): CompiledQuietHours {
  const hours = compiled.get(quiet) ?? compileQuietHours(quiet);
  compiled.set(quiet, hours);
  return hours;
}

/**
 * What clocks in the zone show counts, on the days of a change of clocks as well: a window that ends at 02:30 ends at 03:00 where that
 * time is left out, and where it comes twice it is quiet again until the second.
 * @throws RangeError for a zone or a time that is none
 */
export function compileQuietHours({ zone, windows }: QuietHours): CompiledQuietHours {
  const localAt = createLocalClock(zone);
  const spans = windows.map(({ days, from, to }) => {
    const [begin, end] = [minutesOf(from), minutesOf(to)];
    if (begin === undefined || end === undefined) throw new RangeError("A time of the day is as 22:00.");
    return { days: new Set(days.length > 0 ? days : [1, 2, 3, 4, 5, 6, 7]), begin, end };
  });

  function isQuiet(at: Date): boolean {
    const { day, minute } = localAt(at);
    const yesterday = day === 1 ? 7 : day - 1;
    return spans.some(({ days, begin, end }) => {
      if (begin < end) return days.has(day) && minute >= begin && minute < end;
      return (days.has(day) && minute >= begin) || (days.has(yesterday) && minute < end);
    });
  }

  /** The next moment at which a window may end. */
  function nextEnd(at: Date): Date {
    const { minute } = localAt(at);
    const waits = spans.map(({ end }) => (end - minute + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES);
    const wait = Math.min(...waits);
    const ahead = later(at, wait);
    // Clocks are changed before then: minute by minute, until they have been.
    return localAt(ahead).minute === (minute + wait) % DAY_MINUTES ? ahead : later(at, 1);
  }

  return {
    isQuiet,
    endsAt(at) {
      const most = later(at, MOST_MINUTES);
      for (let time = at; time <= most; time = nextEnd(time)) if (!isQuiet(time)) return time;
      return undefined;
    },
  };
}

/** Whether quiet hours never end. Earlier versions stored such: mail waits, and is looked at again each day. */
export function isAlwaysQuiet(quiet: QuietHours): boolean {
  return compileQuietHours(quiet).endsAt(new Date(0)) === undefined;
}

/** Minutes begin at the same moment in all zones that there are. */
function later(at: Date, minutes: number): Date {
  return new Date((Math.floor(at.getTime() / MINUTE_MS) + minutes) * MINUTE_MS);
}

/** What clocks show in a zone. */
function createLocalClock(zone: string): (at: Date) => { readonly day: number; readonly minute: number } {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
    return {
      day: DAYS.indexOf(parts.get("weekday") as never) + 1,
      minute: Number(parts.get("hour")) * 60 + Number(parts.get("minute")),
    };
  };
}
