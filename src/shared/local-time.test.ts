import fc from "fast-check";
import { expect, it } from "vitest";
import { createLocalTime } from "./local-time.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Days around clock changes, and a zone without any. */
const places = [
  ["Europe/Berlin", "2030-03-31"],
  ["Europe/Berlin", "2030-10-27"],
  ["America/New_York", "2030-11-03"],
  ["America/St_Johns", "2030-03-10"],
  ["Australia/Lord_Howe", "2030-04-07"],
  ["Australia/Lord_Howe", "2030-10-06"],
  ["Pacific/Apia", "2011-12-30"],
  ["Pacific/Kiritimati", "2030-05-01"],
  ["UTC", "2030-05-01"],
] as const;

const moments = fc.record({
  place: fc.constantFrom(...places),
  minutes: fc.integer({ min: -3 * 24 * 60, max: 3 * 24 * 60 }),
});

/** The shown time by another format, as if it were UTC. */
function shown(zone: string, atMs: number): number {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "medium",
  });
  return Date.parse(`${format.format(atMs).replace(" ", "T")}Z`);
}

it("shows the time of the zone, with its milliseconds", () => {
  fc.assert(
    fc.property(moments, fc.integer({ min: 0, max: 59_999 }), ({ place: [zone, day], minutes }, ms) => {
      const atMs = Date.parse(day) + minutes * MINUTE_MS + ms;
      expect(createLocalTime(zone).localAt(atMs)).toBe(shown(zone, atMs) + (ms % 1_000));
    }),
    { numRuns: 500 },
  );
});

it("finds the first moment of a local time, or the clock change that skips it", () => {
  fc.assert(
    fc.property(moments, ({ place: [zone, day], minutes }) => {
      const local = Date.parse(day) + minutes * MINUTE_MS;
      const atMs = createLocalTime(zone).momentOf(local);
      expect(shown(zone, atMs)).toBeGreaterThanOrEqual(local);
      // Every earlier moment shows less: a repeated time would be found here.
      for (const earlier of [MINUTE_MS, 30 * MINUTE_MS, 60 * MINUTE_MS, 90 * MINUTE_MS, DAY_MS])
        expect(shown(zone, atMs - earlier)).toBeLessThan(local);
    }),
    { numRuns: 500 },
  );
});

it("finds the moment of each shown time again, unless the zone repeats it", () => {
  fc.assert(
    fc.property(moments, ({ place: [zone, day], minutes }) => {
      const atMs = Date.parse(day) + minutes * MINUTE_MS;
      const { localAt, momentOf } = createLocalTime(zone);
      const found = momentOf(localAt(atMs));
      expect(found).toBeLessThanOrEqual(atMs);
      expect(localAt(found)).toBe(localAt(atMs));
    }),
    { numRuns: 500 },
  );
});

it("rejects an unknown zone", () => {
  expect(() => createLocalTime("Mars/Olympus")).toThrow(RangeError);
});
