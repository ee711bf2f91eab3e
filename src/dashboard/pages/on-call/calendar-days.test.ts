import { describe, expect, it } from "vitest";
import { createLocalTime } from "../../../shared/local-time.ts";
import { barsIn, dayAt, daysOf, dayText, placeOf, readDay, turned, weeksOf } from "./calendar-days.ts";

const oslo = createLocalTime("Europe/Oslo");
const day = (text: string) => readDay(text) ?? Number.NaN;

describe("the days of a calendar", () => {
  it("are read and written as dates", () => {
    expect(dayText(day("2030-03-31"))).toBe("2030-03-31");
    expect([readDay("2030-13-01"), readDay("today"), readDay("")]).toEqual([undefined, undefined, undefined]);
  });

  it("are those of the zone", () => {
    expect(dayText(dayAt(oslo, Date.parse("2030-01-07T22:59:59Z")))).toBe("2030-01-07");
    expect(dayText(dayAt(oslo, Date.parse("2030-01-07T23:00:00Z")))).toBe("2030-01-08");
  });

  it("are whole weeks from Monday", () => {
    const { first, weeks } = weeksOf("month", day("2030-03-15"));
    expect([dayText(first), weeks]).toEqual(["2030-02-25", 5]);
    expect(dayText(weeksOf("week", day("2030-03-31")).first)).toBe("2030-03-25");
    expect(weeksOf("month", day("2027-02-01")).weeks).toBe(4);
  });

  it("turn by a week or a month, also from a day that the next month lacks", () => {
    expect(dayText(turned("month", day("2030-01-31"), 1))).toBe("2030-02-01");
    expect(dayText(turned("month", day("2030-01-31"), -1))).toBe("2029-12-01");
    expect(dayText(turned("week", day("2030-01-03"), -1))).toBe("2029-12-27");
  });

  it("have 23 and 25 hours when clocks change", () => {
    const hoursFrom = (text: string) => daysOf(oslo, day(text), 2).map(({ hours }) => hours);
    expect(hoursFrom("2030-03-30")).toEqual([24, 23]);
    expect(hoursFrom("2030-10-27")).toEqual([25, 24]);
  });

  it("place a bar by local time on a day with a clock change", () => {
    const days = daysOf(oslo, day("2030-03-25"), 7);
    // 12:00 in summer is 11 of the 23 hours of the day.
    expect(placeOf(days, Date.parse("2030-03-31T10:00:00Z"))).toBeCloseTo((6 + 11 / 23) / 7);
    const shift = { from: "2030-03-24T08:00:00Z", until: "2030-03-30T23:00:00Z" };
    expect(barsIn(days, [shift])).toEqual([
      { shift, from: 0, until: expect.closeTo(6 / 7), hasBegin: false, hasEnd: true },
    ]);
    expect(barsIn(days, [{ from: "2030-04-01T00:00:00Z", until: "2030-04-02T00:00:00Z" }])).toEqual([]);
  });
});
