import type { Severity } from "./alert.ts";

/** Time range on some or all days without e-mails. */
export interface QuietWindow {
  /** Days on which the range begins: 1 is Monday, 7 is Sunday. Empty for all days. */
  readonly days: readonly number[];
  /** Beginning, such as `22:00`, inclusive. */
  readonly from: string;
  /** End, such as `07:00`, exclusive. If it is not later than `from`, it is on the next day. */
  readonly to: string;
}

export interface QuietHours {
  /** IANA time zone, such as `Europe/Berlin`. */
  readonly zone: string;
  readonly windows: readonly QuietWindow[];
}

export interface CompiledQuietHours {
  isQuiet(at: Date): boolean;
  /** First minute from this time on that is not quiet; undefined if there is none within eight days. */
  endsAt(at: Date): Date | undefined;
  /** First minute from this time on that is quiet; undefined if there is none within 15 days. */
  beginsAt(at: Date): Date | undefined;
}

/** Settings of a rule for quiet hours. */
interface QuietSettings {
  readonly quiet?: QuietHours;
  readonly quietHoldsCritical: boolean;
}

/** Interval of checks if quiet hours never end. */
const DAY_MS = 86_400_000;

/** Earliest time for e-mails of this severity; undefined if they are allowed at the given time. */
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
const WEEK_MINUTES = 7 * DAY_MINUTES;
const MOST_MINUTES = 8 * DAY_MINUTES;
/** A change of clocks can skip the window of one week. */
const MOST_MINUTES_TO_BEGIN = 15 * DAY_MINUTES;
const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

/** Minutes since midnight; undefined if the text is not a time of day. */
export function minutesOf(clock: string): number | undefined {
  const [, hours, minutes] = CLOCK.exec(clock) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

const compiled = new WeakMap<QuietHours, CompiledQuietHours>();

/** Compiled quiet hours. They are cached per rule version, because compiling takes longer than a query. */
export function quietHoursOf(quiet: QuietHours): CompiledQuietHours {
  const hours = compiled.get(quiet) ?? compileQuietHours(quiet);
  compiled.set(quiet, hours);
  return hours;
}

/**
 * Local time counts, also on days of a clock change: a window that ends at 02:30 ends at 03:00 if that time is skipped. If that
 * time occurs twice, the window is quiet again until the second one.
 * @throws RangeError for an invalid time zone or time
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

  /** Minute of the local week. */
  function weekMinuteAt(at: Date): number {
    const { day, minute } = localAt(at);
    return (day - 1) * DAY_MINUTES + minute;
  }

  /** The time after a wait, or the first minute of the changed clock if it changes before that time. */
  function after(at: Date, wait: number): Date {
    const begin = weekMinuteAt(at);
    const isSame = (minutes: number) => weekMinuteAt(later(at, minutes)) === (begin + minutes) % WEEK_MINUTES;
    if (isSame(wait)) return later(at, wait);
    let [same, changed] = [0, wait];
    while (changed - same > 1) {
      const middle = Math.floor((same + changed) / 2);
      if (isSame(middle)) same = middle;
      else changed = middle;
    }
    return later(at, changed);
  }

  /** Next time at which a window can end. */
  function nextEnd(at: Date): Date {
    const { minute } = localAt(at);
    const waits = spans.map(({ end }) => (end - minute + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES);
    return after(at, Math.min(...waits));
  }

  /** Next time at which a window can begin. */
  function nextBegin(at: Date): Date {
    const now = weekMinuteAt(at);
    const waits = spans.flatMap(({ days, begin }) =>
      [...days].map(
        (day) => ((day - 1) * DAY_MINUTES + begin - now + WEEK_MINUTES) % WEEK_MINUTES || WEEK_MINUTES,
      ),
    );
    return after(at, Math.min(...waits));
  }

  return {
    isQuiet,
    endsAt(at) {
      const most = later(at, MOST_MINUTES);
      for (let time = at; time <= most; time = nextEnd(time)) if (!isQuiet(time)) return time;
      return undefined;
    },
    beginsAt(at) {
      const most = later(at, MOST_MINUTES_TO_BEGIN);
      for (let time = at; time <= most; time = nextBegin(time)) if (isQuiet(time)) return time;
      return undefined;
    },
  };
}

/**
 * Whether quiet hours never end. Earlier versions stored such settings: e-mails wait, and the incident is checked again each day.
 */
export function isAlwaysQuiet(quiet: QuietHours): boolean {
  return compileQuietHours(quiet).endsAt(new Date(0)) === undefined;
}

/** Minutes begin at the same time in all time zones. */
function later(at: Date, minutes: number): Date {
  return new Date((Math.floor(at.getTime() / MINUTE_MS) + minutes) * MINUTE_MS);
}

/** Local clock of a time zone. */
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
