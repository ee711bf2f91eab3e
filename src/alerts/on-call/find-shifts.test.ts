import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findShifts } from "./find-shifts.ts";
import type { OnCallLayer, OnCallOverride, Participant } from "./on-call-schedule.ts";

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const person = (name: string): Participant => ({ address: `${name}@example.com` });
const [ada, bob, eve] = [person("ada"), person("bob"), person("eve")];
const gone: Participant = { userId: "usr_gone" };
const isPresent = ({ userId }: Participant) => userId === undefined;
const nameOf = (participant: Participant | undefined) =>
  participant?.address?.split("@")[0] ?? participant?.userId ?? "none";

type Override = Pick<OnCallOverride, "_id" | "number" | "participant" | "from" | "until">;

const layer = (changes: Partial<OnCallLayer> = {}): OnCallLayer => ({
  name: "first",
  participants: [ada, bob],
  startsAt: new Date("2030-01-01T08:00:00Z"),
  zone: "Europe/Berlin",
  shift: { length: 1, unit: "day" },
  handover: { time: "09:00" },
  windows: [],
  ...changes,
});

let count = 0;
function override(participant: Participant, from: string, until: string): Override {
  const number = count++;
  return { _id: `oco_${number}`, number, participant, from: new Date(from), until: new Date(until) };
}

/** Lines such as `2030-01-01T08:00Z ada first`, one for each shift. */
function shiftsOf(
  layers: readonly OnCallLayer[],
  [from, until]: readonly [string, string],
  overrides: readonly Override[] = [],
): string[] {
  const range = { from: new Date(from), until: new Date(until), overrides, isPresent };
  return findShifts({ layers }, range).map(({ from: at, participant, layer: name, override: id }) =>
    [at.toISOString().replace(":00.000Z", "Z"), nameOf(participant), name ?? (id && "override")]
      .filter(Boolean)
      .join(" "),
  );
}

describe("shifts of a layer", () => {
  it("begin at the same local time before and after a clock change, with 23 and 25 hours", () => {
    // Berlin skips 02:00 to 03:00 on 31 March 2030 and repeats it on 27 October.
    expect(shiftsOf([layer()], ["2030-03-29T08:00:00Z", "2030-04-01T12:00:00Z"])).toEqual([
      "2030-03-29T08:00Z bob first",
      "2030-03-30T08:00Z ada first",
      "2030-03-31T07:00Z bob first",
      "2030-04-01T07:00Z ada first",
    ]);
    expect(shiftsOf([layer()], ["2030-10-26T07:00:00Z", "2030-10-28T08:00:00Z"])).toEqual([
      "2030-10-26T07:00Z ada first",
      "2030-10-27T08:00Z bob first",
    ]);
  });

  it("begin at the moment of the change if it skips the handover, and once if it repeats it", () => {
    const early = layer({ handover: { time: "02:30" }, startsAt: new Date("2030-01-01T01:30:00Z") });
    expect(shiftsOf([early], ["2030-03-30T12:00:00Z", "2030-04-01T12:00:00Z"])).toEqual([
      "2030-03-30T12:00Z ada first",
      "2030-03-31T01:00Z bob first",
      "2030-04-01T00:30Z ada first",
    ]);
    expect(shiftsOf([early], ["2030-10-26T12:00:00Z", "2030-10-28T12:00:00Z"])).toEqual([
      "2030-10-26T12:00Z ada first",
      "2030-10-27T00:30Z bob first",
      "2030-10-28T01:30Z ada first",
    ]);
  });

  it("of weeks begin on the weekday of the handover, the first one at the start of the layer", () => {
    // 2 January 2030 is a Wednesday.
    const weekly = layer({
      startsAt: new Date("2030-01-02T14:00:00Z"),
      shift: { length: 1, unit: "week" },
      handover: { time: "09:00", weekday: 1 },
    });
    expect(shiftsOf([weekly], ["2030-01-01T00:00:00Z", "2030-01-15T00:00:00Z"])).toEqual([
      "2030-01-01T00:00Z none",
      "2030-01-02T14:00Z ada first",
      "2030-01-07T08:00Z bob first",
      "2030-01-14T08:00Z ada first",
    ]);
  });

  it("of several hours begin at the time of the handover, and after each length", () => {
    const halves = layer({ shift: { length: 12, unit: "hour" }, startsAt: new Date("2030-01-01T12:00:00Z") });
    expect(shiftsOf([halves], ["2030-01-01T12:00:00Z", "2030-01-02T12:00:00Z"])).toEqual([
      "2030-01-01T12:00Z ada first",
      "2030-01-01T20:00Z bob first",
      "2030-01-02T08:00Z ada first",
    ]);
  });

  it("are joined if the next one has the same participant", () => {
    const alone = layer({ participants: [ada] });
    expect(shiftsOf([alone], ["2030-02-01T00:00:00Z", "2030-03-01T00:00:00Z"])).toHaveLength(1);
  });

  it("are limited to weekly windows, also over midnight", () => {
    // 4 January 2030 is a Friday.
    const nights = layer({ participants: [ada], windows: [{ days: [5], from: "22:00", to: "06:00" }] });
    expect(shiftsOf([nights], ["2030-01-04T12:00:00Z", "2030-01-05T12:00:00Z"])).toEqual([
      "2030-01-04T12:00Z none",
      "2030-01-04T21:00Z ada first",
      "2030-01-05T05:00Z none",
    ]);
  });
});

describe("shifts of a schedule", () => {
  it("are those of the last layer that has one", () => {
    const day = layer({
      name: "day",
      participants: [eve],
      windows: [{ days: [1, 2, 3, 4, 5], from: "10:00", to: "16:00" }],
    });
    expect(shiftsOf([layer(), day], ["2030-01-04T08:00:00Z", "2030-01-05T08:00:00Z"])).toEqual([
      "2030-01-04T08:00Z bob first",
      "2030-01-04T09:00Z eve day",
      "2030-01-04T15:00Z bob first",
    ]);
  });

  it("are replaced by overrides, the latest one first", () => {
    const first = override(eve, "2030-01-04T10:00:00Z", "2030-01-04T14:00:00Z");
    const second = override(ada, "2030-01-04T12:00:00Z", "2030-01-04T13:00:00Z");
    expect(shiftsOf([layer()], ["2030-01-04T08:00:00Z", "2030-01-05T08:00:00Z"], [second, first])).toEqual([
      "2030-01-04T08:00Z bob first",
      "2030-01-04T10:00Z eve override",
      "2030-01-04T12:00Z ada override",
      "2030-01-04T13:00Z eve override",
      "2030-01-04T14:00Z bob first",
    ]);
  });

  it("pass to the layer below while their participant has left, and others keep their turns", () => {
    const above = layer({ name: "above", participants: [eve, gone] });
    expect(shiftsOf([layer(), above], ["2030-01-02T08:00:00Z", "2030-01-05T08:00:00Z"])).toEqual([
      "2030-01-02T08:00Z bob first",
      "2030-01-03T08:00Z eve above",
      "2030-01-04T08:00Z bob first",
    ]);
  });
});

/** Days with clock changes, and one zone without any. */
const places = [
  ["Europe/Berlin", "2030-03-31"],
  ["Europe/Berlin", "2030-10-27"],
  ["America/St_Johns", "2030-03-10"],
  ["America/New_York", "2030-11-03"],
  ["Australia/Lord_Howe", "2030-04-07"],
  ["Australia/Lord_Howe", "2030-10-06"],
  ["Africa/Cairo", "2030-04-26"],
  ["Pacific/Apia", "2011-12-30"],
  ["Asia/Kathmandu", "2030-05-01"],
] as const;

/** First minute of each table before its day, and its length. */
const [BEFORE, LENGTH] = [12 * DAY_MINUTES, 20 * DAY_MINUTES];
const tables = new Map<string, readonly number[]>();

/** Latest local time up to each minute, in minutes: a clock that waits while the local time repeats. */
function tableOf(zone: string, day: string): readonly number[] {
  const known = tables.get(`${zone} ${day}`);
  if (known) return known;
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  const begin = beginOf(day);
  let latest = 0;
  const table = Array.from({ length: LENGTH }, (_, minute) => {
    const local = Date.parse(`${format.format((begin + minute) * MINUTE_MS).replace(" ", "T")}:00Z`);
    latest = Math.max(latest, local / MINUTE_MS);
    return latest;
  });
  tables.set(`${zone} ${day}`, table);
  return table;
}

const beginOf = (day: string) => Date.parse(day) / MINUTE_MS - BEFORE;
const minutesIn = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
const weekdayOf = (local: number) => new Date(local * MINUTE_MS).getUTCDay() || 7;
const startOfDay = (local: number) => Math.floor(local / DAY_MINUTES) * DAY_MINUTES;
const UNIT_MINUTES = { hour: 60, day: DAY_MINUTES, week: 7 * DAY_MINUTES };

/** Participant of a layer at a minute of a table, found minute by minute. */
function participantAt(one: OnCallLayer, table: readonly number[], begin: number) {
  const start = one.startsAt.getTime() / MINUTE_MS - begin;
  const { time, weekday } = one.handover;
  let zero: number | undefined;
  for (let minute = start; zero === undefined; minute--)
    for (let local = table[minute] ?? 0; local > (table[minute - 1] ?? 0); local--)
      if (local % DAY_MINUTES === minutesIn(time) && (!weekday || weekdayOf(local) === weekday))
        zero ??= local;
  const length = one.shift.length * UNIT_MINUTES[one.shift.unit];
  const shiftAt = (minute: number) => Math.floor(((table[minute] ?? 0) - (zero ?? 0)) / length);
  return (minute: number): Participant | undefined => {
    const local = table[minute] ?? 0;
    const isWithin = one.windows.some(({ days, from, to }) =>
      [-1, 0, 1].some((later) => {
        const day = startOfDay(local) + later * DAY_MINUTES;
        const end = minutesIn(to) + (minutesIn(to) > minutesIn(from) ? 0 : DAY_MINUTES);
        const isDay = days.length === 0 || days.includes(weekdayOf(day));
        return isDay && local >= day + minutesIn(from) && local < day + end;
      }),
    );
    if (minute < start || (one.windows.length > 0 && !isWithin)) return undefined;
    return one.participants[(shiftAt(minute) - shiftAt(start)) % one.participants.length];
  };
}

describe("any schedule", () => {
  const someone = fc.constantFrom(ada, bob, eve, gone);
  const clock = fc.oneof(
    fc.constantFrom("00:00", "02:00", "02:30", "03:00", "09:00"),
    fc.nat(DAY_MINUTES - 1).map((minute) => new Date(minute * MINUTE_MS).toISOString().slice(11, 16)),
  );
  const window = fc.record({ days: fc.subarray([1, 2, 3, 4, 5, 6, 7]), from: clock, to: clock });
  const shift = fc.oneof(
    fc.record({ unit: fc.constant("hour" as const), length: fc.integer({ min: 1, max: 30 }) }),
    fc.record({ unit: fc.constant("day" as const), length: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ unit: fc.constant("week" as const), length: fc.integer({ min: 1, max: 2 }) }),
  );
  /** Minutes around the day of the change. */
  const near = fc.integer({ min: BEFORE - 2 * DAY_MINUTES, max: BEFORE + 4 * DAY_MINUTES });
  const layers = fc.array(
    fc.record({
      participants: fc.array(someone, { minLength: 1, maxLength: 3 }),
      start: near,
      shift,
      time: clock,
      weekday: fc.integer({ min: 1, max: 7 }),
      windows: fc.array(window, { maxLength: 2 }),
    }),
    { maxLength: 3 },
  );
  const overrides = fc.array(fc.record({ participant: someone, times: fc.tuple(near, near) }), {
    maxLength: 3,
  });

  it("has the participant of each minute that a minute-by-minute search finds, in shifts without gaps", () => {
    fc.assert(
      fc.property(fc.constantFrom(...places), layers, overrides, near, (place, given, replaced, from) => {
        const [zone, day] = place;
        const [table, begin] = [tableOf(zone, day), beginOf(day)];
        const momentOf = (minute: number) => new Date((begin + minute) * MINUTE_MS);
        const all = given.map(({ start, time, weekday, ...rest }, index) =>
          layer({
            ...rest,
            zone,
            name: `layer ${index}`,
            startsAt: momentOf(start),
            handover: { time, ...(rest.shift.unit === "week" && { weekday }) },
          }),
        );
        const some = replaced.map(({ participant, times }, number) => {
          const [first = 0, last = 0] = [...times].sort((a, b) => a - b);
          return {
            _id: `oco_${number}`,
            number,
            participant,
            from: momentOf(first),
            until: momentOf(last + 1),
          };
        });
        const until = from + 3 * DAY_MINUTES;
        const shifts = findShifts(
          { layers: all },
          { from: momentOf(from), until: momentOf(until), overrides: some, isPresent },
        );
        const found = shifts.flatMap(({ from: at, until: end, participant, ...by }) => {
          expect(at.getTime()).toBeLessThan(end.getTime());
          const minutes = (end.getTime() - at.getTime()) / MINUTE_MS;
          return Array.from({ length: minutes }, () =>
            [nameOf(participant), by.layer ?? by.override ?? ""].join(" ").trim(),
          );
        });
        const searches = all.map((one) => participantAt(one, table, begin));
        const expected = Array.from({ length: until - from }, (_, index) => {
          const minute = from + index;
          const at = momentOf(minute);
          const above = some.findLast(
            (one) => one.from <= at && at < one.until && isPresent(one.participant),
          );
          if (above) return `${nameOf(above.participant)} ${above._id}`;
          for (const [number, search] of [...searches.entries()].reverse()) {
            const participant = search(minute);
            if (participant && isPresent(participant)) return `${nameOf(participant)} layer ${number}`;
          }
          return "none";
        });
        expect(found).toEqual(expected);
        for (const [index, one] of shifts.entries()) {
          const next = shifts[index + 1];
          if (!next) continue;
          expect(one.until).toEqual(next.from);
          expect({ ...one, from: 0, until: 0 }).not.toEqual({ ...next, from: 0, until: 0 });
        }
      }),
      { numRuns: 150 },
    );
  });

  it("has the same participant at a moment as in any range around it", () => {
    fc.assert(
      fc.property(layers, near, fc.nat(20_000), fc.nat(20_000), (given, minute, before, after) => {
        const begin = beginOf("2030-03-31");
        const momentOf = (at: number) => new Date((begin + at) * MINUTE_MS);
        const all = given.map(({ start, time, weekday, ...rest }, index) =>
          layer({
            ...rest,
            name: `layer ${index}`,
            startsAt: momentOf(start),
            handover: { time, ...(rest.shift.unit === "week" && { weekday }) },
          }),
        );
        const find = (from: number, until: number) =>
          findShifts(
            { layers: all },
            { from: momentOf(from), until: momentOf(until), overrides: [], isPresent },
          );
        const at = momentOf(minute);
        const [alone] = find(minute, minute + 1);
        const within = find(minute - before, minute + after + 1).find(
          ({ from, until }) => from <= at && at < until,
        );
        expect([alone?.participant, alone?.layer]).toEqual([within?.participant, within?.layer]);
      }),
      { numRuns: 150 },
    );
  });

  it("rejects an unknown time zone", () => {
    const unknown = layer({ zone: "Europe/Atlantis" });
    const find = () => shiftsOf([unknown], ["2030-02-01T00:00:00Z", "2030-03-01T00:00:00Z"]);
    expect(find).toThrow(RangeError);
  });
});
