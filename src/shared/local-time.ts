/** A local date and time as milliseconds, read as if it were UTC. */
export type LocalMs = number;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Converts between moments and the local time of an IANA time zone. @throws RangeError for an unknown zone */
export function createLocalTime(timeZone: string) {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });

  function shownAt(atMs: number): LocalMs {
    const parts = Object.fromEntries(
      format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  }

  /** The clock change between two moments: the first minute that shows at least the local time. */
  function changeBetween(beforeMs: number, afterMs: number, wanted: LocalMs): number {
    let [before, after] = [Math.floor(beforeMs / MINUTE_MS), Math.ceil(afterMs / MINUTE_MS)];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (shownAt(middle * MINUTE_MS) >= wanted) after = middle;
      else before = middle;
    }
    return after * MINUTE_MS;
  }

  return {
    shownAt: (at: Date): LocalMs => shownAt(at.getTime()),

    /** The first moment with this local time. If a clock change skips it, the moment of the change. */
    moment(wanted: LocalMs): Date {
      // The day before and the day after have the two possible offsets from UTC, whatever the clock change.
      const offsets = [-DAY_MS, DAY_MS].map((beside) => shownAt(wanted + beside) - (wanted + beside));
      const [first = 0, second = 0] = offsets.map((offset) => wanted - offset).sort((a, b) => a - b);
      const found = [first, second].find((atMs) => shownAt(atMs) === wanted);
      return new Date(found ?? changeBetween(first, second, wanted));
    },
  };
}
