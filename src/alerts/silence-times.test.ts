import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { QuietWindow } from "./quiet-hours.ts";
import { createEffectUntil, endOfSilence, NO_END, nextEffectOf, type SilenceTimes } from "./silence-times.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const minuteOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** Offsets by quarter of an hour: all zones change their clocks at such a time. */
const offsets = new Map<string, number>();

/** Milliseconds that the local clock is ahead of UTC. */
function offsetAt(zone: string, at: Date): number {
  const quarter = Math.floor(at.getTime() / (15 * MINUTE));
  const key = `${zone} ${quarter}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const utc = new Date(quarter * 15 * MINUTE);
  const local = Date.parse(`${utc.toLocaleString("sv-SE", { timeZone: zone }).replace(" ", "T")}Z`);
  offsets.set(key, local - utc.getTime());
  return local - utc.getTime();
}

/** The plain model: a local minute is in a window that began on its day, or on the day before. */
function isInWindow(zone: string, windows: readonly QuietWindow[], at: Date): boolean {
  const local = new Date(at.getTime() + offsetAt(zone, at));
  const minute = local.getUTCHours() * 60 + local.getUTCMinutes();
  const day = local.getUTCDay() || 7;
  return windows.some(({ days, from, to }) => {
    const [begin, end] = [minuteOf(from), minuteOf(to)];
    const begins = (one: number) => days.length === 0 || days.includes(one);
    if (begin < end) return begins(day) && begin <= minute && minute < end;
    return (begins(day) && begin <= minute) || (begins(day === 1 ? 7 : day - 1) && minute < end);
  });
}

const zones = [
  ...["UTC", "Europe/Berlin", "Australia/Lord_Howe", "America/St_Johns"],
  ...["Pacific/Apia", "Pacific/Kiritimati", "Asia/Kathmandu", "America/Asuncion"],
];
const clock = fc.nat(24 * 60 - 1).map((minute) => new Date(minute * MINUTE).toISOString().slice(11, 16));
/** Also times that days of a clock change skip or repeat. */
const window = fc.record({
  days: fc.subarray([1, 2, 3, 4, 5, 6, 7]),
  from: fc.oneof(clock, fc.constantFrom("00:00", "01:30", "02:00", "02:15", "02:59", "23:59")),
  to: fc.oneof(clock, fc.constantFrom("00:00", "02:30", "03:00", "03:15", "04:00", "23:59")),
});
/** Around the clock changes of a year. */
const changeDay = fc.constantFrom(
  ...["2030-03-10", "2030-03-31", "2030-04-07", "2030-09-29", "2030-10-06", "2030-10-27", "2030-11-03"],
);
const instant = fc
  .tuple(changeDay, fc.integer({ min: -48 * 3_600, max: 48 * 3_600 }))
  .map(([date, seconds]) => new Date(Date.parse(date) + seconds * 1_000));
const silence = fc
  .record({
    zone: fc.constantFrom(...zones),
    windows: fc.array(window, { minLength: 1, maxLength: 3 }),
    startsAt: instant,
    lasting: fc.constantFrom(undefined, 90 * 1_000, 5 * HOUR, 3 * DAY, 30 * DAY),
  })
  .map(({ zone, windows, startsAt, lasting }) => ({
    startsAt,
    weekly: { zone, windows },
    recursUntil: lasting === undefined ? NO_END : new Date(startsAt.getTime() + lasting),
  }));
const time = fc
  .tuple(instant, fc.integer({ min: -4 * DAY, max: 10 * DAY }))
  .map(([at, ms]) => new Date(at.getTime() + ms));

describe("a weekly silence", () => {
  it("is in effect exactly in the minutes of the plain model, and until their end", () => {
    fc.assert(
      fc.property(silence, time, (given, at) => {
        const { weekly, startsAt } = given;
        const end = endOfSilence(given);
        const isIn = (when: Date) =>
          startsAt <= when && when < end && isInWindow(weekly.zone, weekly.windows, when);
        const until = createEffectUntil(given)(at);
        if (!isIn(at)) {
          expect(until).toBeUndefined();
          return;
        }
        let walked = new Date((Math.floor(at.getTime() / MINUTE) + 1) * MINUTE);
        const most = new Date(at.getTime() + 8 * DAY);
        while (walked < most && isIn(walked)) walked = new Date(walked.getTime() + MINUTE);
        fc.pre(walked < most);
        expect(until).toEqual(walked < end ? walked : end);
      }),
      { numRuns: 400 },
    );
  });

  it("is in effect until its end if its windows never end", () => {
    const weekly = { zone: "UTC", windows: [{ days: [], from: "00:00", to: "00:00" }] };
    const effectUntil = createEffectUntil({
      startsAt: new Date("2030-03-10"),
      weekly,
      recursUntil: new Date("2030-04-09"),
    });
    expect(effectUntil(new Date("2030-04-07"))).toEqual(new Date("2030-04-09"));
    expect(effectUntil(new Date("2030-03-20"))).toEqual(new Date("2030-03-28"));
  });

  it("begins next in the first minute of the plain model", () => {
    fc.assert(
      fc.property(silence, time, (given, at) => {
        const { weekly, startsAt } = given;
        const end = endOfSilence(given);
        const isIn = (when: Date) => when < end && isInWindow(weekly.zone, weekly.windows, when);
        let walked = new Date(Math.max(startsAt.getTime(), at.getTime()));
        const most = new Date(walked.getTime() + 15 * DAY);
        while (walked < most && walked < end && !isIn(walked))
          walked = new Date((Math.floor(walked.getTime() / MINUTE) + 1) * MINUTE);
        fc.pre(walked < most);
        expect(nextEffectOf(given, at)).toEqual(walked < end ? walked : undefined);
      }),
      { numRuns: 200 },
    );
  });

  it("answers for many times of one minute as for each alone", () => {
    const weekly = { zone: "UTC", windows: [{ days: [], from: "10:00", to: "11:00" }] };
    const given = { startsAt: new Date("2030-01-01T10:30:30Z"), weekly, recursUntil: NO_END };
    const effectUntil = createEffectUntil(given);
    const at = (text: string) => effectUntil(new Date(`2030-01-01T${text}Z`))?.toISOString();
    expect(["10:30:29", "10:30:30", "10:30:59", "10:59:59", "11:00:00", "10:45:00"].map(at)).toEqual([
      undefined,
      ...Array.from({ length: 3 }, () => "2030-01-01T11:00:00.000Z"),
      undefined,
      "2030-01-01T11:00:00.000Z",
    ]);
  });

  const berlin = (from: string, to: string, ...days: number[]): SilenceTimes => ({
    startsAt: new Date("2030-01-01T00:00:00Z"),
    weekly: { zone: "Europe/Berlin", windows: [{ days, from, to }] },
    recursUntil: NO_END,
  });
  const spansOf = (given: SilenceTimes, from: string) => {
    const begin = nextEffectOf(given, new Date(from));
    return [begin?.toISOString(), begin && createEffectUntil(given)(begin)?.toISOString()];
  };

  it("every Sunday from 2 to 4 lasts one hour and three hours on the days of a clock change", () => {
    const backup = berlin("02:00", "04:00", 7);
    // Berlin skips 02:00 to 03:00 on 31 March 2030 and repeats it on 27 October.
    expect(spansOf(backup, "2030-03-30T00:00:00Z")).toEqual([
      "2030-03-31T01:00:00.000Z",
      "2030-03-31T02:00:00.000Z",
    ]);
    expect(spansOf(backup, "2030-10-26T00:00:00Z")).toEqual([
      "2030-10-27T00:00:00.000Z",
      "2030-10-27T03:00:00.000Z",
    ]);
    expect(spansOf(backup, "2030-06-03T00:00:00Z")).toEqual([
      "2030-06-09T00:00:00.000Z",
      "2030-06-09T02:00:00.000Z",
    ]);
  });

  it("skips a week in which its times do not occur", () => {
    expect(spansOf(berlin("02:15", "02:45", 7), "2030-03-30T00:00:00Z")).toEqual([
      "2030-04-07T00:15:00.000Z",
      "2030-04-07T00:45:00.000Z",
    ]);
  });

  it("crosses midnight into the next day and into the next week", () => {
    expect(spansOf(berlin("22:00", "06:00", 7), "2030-01-02T00:00:00Z")).toEqual([
      "2030-01-06T21:00:00.000Z",
      "2030-01-07T05:00:00.000Z",
    ]);
  });

  it("is never in effect in a time zone that this program does not know", () => {
    const windows = [{ days: [], from: "00:00", to: "23:59" }];
    const given = { ...berlin("00:00", "23:59"), weekly: { zone: "Mars/Olympus", windows } };
    const at = new Date("2030-01-02T12:00:00Z");
    expect([createEffectUntil(given)(at), nextEffectOf(given, at)]).toEqual([undefined, undefined]);
  });

  it("has no next time after its end", () => {
    const ended = { ...berlin("22:00", "06:00", 7), recursUntil: new Date("2030-01-06T21:00:00Z") };
    expect(nextEffectOf(ended, new Date("2030-01-02T00:00:00Z"))).toBeUndefined();
  });
});

describe("a silence without windows", () => {
  const given = { startsAt: new Date("2030-01-01T10:00:00Z"), endsAt: new Date("2030-01-01T12:00:00Z") };
  const at = (text: string) => new Date(`2030-01-01T${text}Z`);

  it("is in effect from its start, inclusive, to its end, exclusive", () => {
    const effectUntil = createEffectUntil(given);
    expect(["09:59:59", "10:00:00", "11:59:59", "12:00:00"].map((text) => effectUntil(at(text)))).toEqual([
      undefined,
      given.endsAt,
      given.endsAt,
      undefined,
    ]);
    expect(["09:00:00", "11:00:00", "12:00:00"].map((text) => nextEffectOf(given, at(text)))).toEqual([
      given.startsAt,
      at("11:00:00"),
      undefined,
    ]);
  });
});
