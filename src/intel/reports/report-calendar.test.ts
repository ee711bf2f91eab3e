import { describe, expect, it } from "vitest";
import { type Cadence, createReportCalendar } from "./report-calendar.ts";

const monday: Cadence = { kind: "weekly", weekday: 1 };
const first: Cadence = { kind: "monthly", day: 1 };

function calendar(cadence: Cadence, hour: number, timezone: string) {
  const { last, next, lastPeriod } = createReportCalendar({ cadence, hour, timezone });
  const shown = ({ at, period }: ReturnType<typeof last>) => [
    at.toISOString(),
    period.from.toISOString(),
    period.to.toISOString(),
    period.key,
  ];
  return {
    last: (now: string) => shown(last(new Date(now))),
    next: (now: string, done?: string) => shown(next(new Date(now), done)),
    at: (now: string) => next(new Date(now), undefined).at.toISOString(),
    period: (now: string) => lastPeriod(new Date(now)).key,
  };
}

describe("a weekly report", () => {
  it("covers the preceding week, from Monday to Sunday", () => {
    const { last, next } = calendar({ kind: "weekly", weekday: 3 }, 8, "UTC");
    const week = ["2026-11-16T00:00:00.000Z", "2026-11-23T00:00:00.000Z", "week 2026-11-16"];
    expect(next("2026-11-24T12:00:00Z")).toEqual(["2026-11-25T08:00:00.000Z", ...week]);
    expect(last("2026-11-25T08:00:00Z")).toEqual(["2026-11-25T08:00:00.000Z", ...week]);
    expect(last("2026-11-25T07:59:59Z")[0]).toBe("2026-11-18T08:00:00.000Z");
    expect(next("2026-11-25T08:00:00Z")[0]).toBe("2026-12-02T08:00:00.000Z");
  });

  it("is created once for a week, even if its weekday changes within the week", () => {
    const { next } = calendar({ kind: "weekly", weekday: 5 }, 8, "UTC");
    expect(next("2026-11-24T12:00:00Z", "week 2026-11-16")[0]).toBe("2026-12-04T08:00:00.000Z");
    expect(next("2026-11-24T12:00:00Z", "week 2026-11-09")[0]).toBe("2026-11-27T08:00:00.000Z");
  });

  it("keeps its local time and covers a whole week across clock changes", () => {
    const { last } = calendar(monday, 8, "Europe/Berlin");
    // Summer time ends on 25 October 2026, so that week has an additional hour.
    expect(last("2026-10-26T12:00:00Z")).toEqual([
      ...["2026-10-26T07:00:00.000Z", "2026-10-18T22:00:00.000Z", "2026-10-25T23:00:00.000Z"],
      "week 2026-10-19",
    ]);
    // Summer time begins on 29 March 2026.
    expect(last("2026-03-30T12:00:00Z")).toEqual([
      ...["2026-03-30T06:00:00.000Z", "2026-03-22T23:00:00.000Z", "2026-03-29T22:00:00.000Z"],
      "week 2026-03-23",
    ]);
  });

  it.each([
    // In Berlin, 02:00 is skipped on 29 March: clocks continue at 03:00, which is 01:00 UTC.
    ["Europe/Berlin", 7, 2, "2026-03-28T12:00:00Z", "2026-03-29T01:00:00.000Z"],
    // 02:00 occurs twice on 25 October: at 00:00 and at 01:00 UTC.
    ["Europe/Berlin", 7, 2, "2026-10-24T12:00:00Z", "2026-10-25T00:00:00.000Z"],
    ["America/New_York", 7, 2, "2026-03-07T12:00:00Z", "2026-03-08T07:00:00.000Z"],
    ["America/New_York", 7, 1, "2026-10-31T12:00:00Z", "2026-11-01T05:00:00.000Z"],
    // A change of half an hour.
    ["Australia/Lord_Howe", 7, 2, "2026-10-03T00:00:00Z", "2026-10-03T15:30:00.000Z"],
    // Midnight is skipped.
    ["Africa/Cairo", 5, 0, "2026-04-23T12:00:00Z", "2026-04-23T22:00:00.000Z"],
  ])("in %s on day %d at %d h is due once", (zone, weekday, hour, now, at) => {
    expect(calendar({ kind: "weekly", weekday }, hour, zone).at(now)).toBe(at);
  });

  it("uses local days", () => {
    // It is already Monday there.
    expect(calendar(monday, 0, "Pacific/Kiritimati").at("2026-11-22T09:00:00Z")).toBe(
      "2026-11-22T10:00:00.000Z",
    );
    expect(calendar(monday, 23, "Pacific/Niue").at("2026-11-24T09:00:00Z")).toBe("2026-11-24T10:00:00.000Z");
  });
});

describe("a monthly report", () => {
  it("covers the preceding month", () => {
    const { last, next } = calendar(first, 6, "Asia/Tokyo");
    expect(last("2027-01-15T00:00:00Z")).toEqual([
      ...["2026-12-31T21:00:00.000Z", "2026-11-30T15:00:00.000Z", "2026-12-31T15:00:00.000Z"],
      "month 2026-12",
    ]);
    expect(next("2027-01-15T00:00:00Z")[0]).toBe("2027-01-31T21:00:00.000Z");
  });

  it("is created in every month, on a day that all months have", () => {
    const { next } = calendar({ kind: "monthly", day: 28 }, 8, "UTC");
    let now = "2027-01-01T00:00:00Z";
    const months = Array.from({ length: 12 }, () => {
      [now = ""] = next(now);
      return now.slice(0, 10);
    });
    expect(months).toEqual(
      Array.from({ length: 12 }, (_, month) => `2027-${String(month + 1).padStart(2, "0")}-28`),
    );
  });

  it("on request covers the last complete month", () => {
    const { period, last } = calendar({ kind: "monthly", day: 15 }, 8, "UTC");
    expect(period("2026-11-03T00:00:00Z")).toBe("month 2026-10");
    expect(last("2026-11-03T00:00:00Z")[3]).toBe("month 2026-09");
  });
});
