import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTimeZone } from "../shared/time-zone.ts";
import { compileQuietHours, isAlwaysQuiet, minutesOf, type QuietWindow } from "./quiet-hours.ts";

const hours = (zone: string, ...windows: (Partial<QuietWindow> & Pick<QuietWindow, "from" | "to">)[]) =>
  compileQuietHours({ zone, windows: windows.map((window) => ({ days: [], ...window })) });
const end = (zone: string, at: string, ...windows: Parameters<typeof hours>[1][]) =>
  hours(zone, ...windows)
    .endsAt(new Date(at))
    ?.toISOString();

const night = { from: "22:00", to: "07:00" };

it.each([
  [[{ days: [], from: "22:00", to: "22:00" }], true],
  [
    [
      { days: [], from: "22:00", to: "07:00" },
      { days: [], from: "07:00", to: "22:00" },
    ],
    true,
  ],
  [[{ days: [], from: "22:00", to: "21:59" }], false],
  [[{ days: [7], from: "00:00", to: "00:00" }], false],
])("knows quiet hours that never end: %j", (windows, expected) => {
  expect(isAlwaysQuiet({ zone: "Europe/Berlin", windows })).toBe(expected);
});

describe("quiet hours", () => {
  it.each([
    ["UTC", "2030-01-01T21:59:59Z", false],
    ["UTC", "2030-01-01T22:00:00Z", true],
    ["UTC", "2030-01-02T06:59:59Z", true],
    ["UTC", "2030-01-02T07:00:00Z", false],
    ["Europe/Berlin", "2030-01-01T21:00:00Z", true],
    ["Europe/Berlin", "2030-07-01T20:00:00Z", true],
    ["Pacific/Kiritimati", "2030-01-01T08:00:00Z", true],
    ["Pacific/Kiritimati", "2030-01-01T17:00:00Z", false],
    ["Etc/GMT+12", "2030-01-01T10:00:00Z", true],
    ["Asia/Kathmandu", "2030-01-01T16:15:00Z", true],
    ["Asia/Kathmandu", "2030-01-01T16:14:00Z", false],
  ])("over midnight are those of the zone: %s at %s", (zone, at, quiet) => {
    expect(hours(zone, night).isQuiet(new Date(at))).toBe(quiet);
  });

  it("belong to the day on which they begin", () => {
    // 4 January 2030 is a Friday.
    const weekend = hours("UTC", { ...night, days: [5, 6] });
    const quietAt = (at: string) => weekend.isQuiet(new Date(at));
    expect([quietAt("2030-01-04T03:00:00Z"), quietAt("2030-01-04T23:00:00Z")]).toEqual([false, true]);
    expect([quietAt("2030-01-05T03:00:00Z"), quietAt("2030-01-06T03:00:00Z")]).toEqual([true, true]);
    expect([quietAt("2030-01-06T23:00:00Z"), quietAt("2030-01-07T03:00:00Z")]).toEqual([false, false]);
    const sunday = hours("UTC", { ...night, days: [7] });
    expect(sunday.isQuiet(new Date("2030-01-07T03:00:00Z"))).toBe(true);
  });

  it("end in the first minute that is not quiet, also if windows follow each other", () => {
    expect(end("UTC", "2030-01-01T23:12:34Z", night)).toBe("2030-01-02T07:00:00.000Z");
    expect(end("UTC", "2030-01-01T12:00:30Z", night)).toBe("2030-01-01T12:00:30.000Z");
    const more = { from: "07:00", to: "08:30" };
    expect(end("UTC", "2030-01-01T23:00:00Z", night, more)).toBe("2030-01-02T08:30:00.000Z");
    expect(end("UTC", "2030-01-01T23:00:00Z", { from: "00:00", to: "00:00" })).toBeUndefined();
    const weekend = { from: "00:00", to: "00:00", days: [6, 7] };
    expect(end("UTC", "2030-01-05T10:00:00Z", weekend)).toBe("2030-01-07T00:00:00.000Z");
  });

  it("follow the local clock on days of 23 and 25 hours", () => {
    // Berlin skips 02:00 to 03:00 on 31 March 2030 and repeats it on 27 October.
    expect(end("Europe/Berlin", "2030-03-30T22:00:00Z", night)).toBe("2030-03-31T05:00:00.000Z");
    expect(end("Europe/Berlin", "2030-10-26T21:00:00Z", night)).toBe("2030-10-27T06:00:00.000Z");
    const early = { from: "22:00", to: "02:30" };
    expect(end("Europe/Berlin", "2030-03-30T22:00:00Z", early)).toBe("2030-03-31T01:00:00.000Z");
    expect(end("Europe/Berlin", "2030-10-26T21:00:00Z", early)).toBe("2030-10-27T00:30:00.000Z");
    expect(end("Europe/Berlin", "2030-10-27T01:10:00Z", early)).toBe("2030-10-27T01:30:00.000Z");
  });

  it("end at the same time as a minute-by-minute search finds", () => {
    const clock = fc.nat(24 * 60 - 1).map((minute) => new Date(minute * 60_000).toISOString().slice(11, 16));
    const window = fc.record({ days: fc.subarray([1, 2, 3, 4, 5, 6, 7]), from: clock, to: clock });
    const zone = fc.constantFrom("UTC", "Europe/Berlin", "Australia/Lord_Howe", "America/St_Johns");
    // Around the clock changes of a year.
    const day = fc.constantFrom(
      "2030-03-10",
      "2030-03-31",
      "2030-04-07",
      "2030-10-06",
      "2030-10-27",
      "2030-11-03",
    );
    const at = fc
      .tuple(day, fc.integer({ min: -36 * 60, max: 36 * 60 }))
      .map(([date, minutes]) => new Date(Date.parse(date) + minutes * 60_000));
    fc.assert(
      fc.property(zone, fc.array(window, { minLength: 1, maxLength: 3 }), at, (zone, windows, from) => {
        const compiled = compileQuietHours({ zone, windows });
        let walked = 0;
        while (walked < 3_000 && compiled.isQuiet(new Date(from.getTime() + walked * 60_000))) walked++;
        fc.pre(walked < 3_000);
        expect(compiled.endsAt(from)).toEqual(new Date(from.getTime() + walked * 60_000));
      }),
      { numRuns: 60 },
    );
  });

  it("reject invalid time zones and times", () => {
    expect(["Europe/Berlin", "UTC", "Europe/Atlantis", "", "CET; DROP"].map(isTimeZone)).toEqual([
      ...[true, true, false, false, false],
    ]);
    expect(["00:00", "23:59", "24:00", "7:00", "07:60", ""].map(minutesOf)).toEqual([
      ...[0, 1_439, undefined, undefined, undefined, undefined],
    ]);
    expect(() => hours("Europe/Atlantis", night)).toThrow(RangeError);
    expect(() => hours("UTC", { from: "7", to: "8" })).toThrow(RangeError);
  });
});
