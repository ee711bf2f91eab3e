import { describe, expect, it } from "vitest";
import { createTimeTexts, spanText, timeText } from "./time.tsx";

const now = new Date(2026, 10, 27, 12, 0, 0);
const iso = (date: Date) => date.toISOString();

describe("times and durations for people", () => {
  it("shows only the clock time today, and the date for earlier days", () => {
    expect(timeText(iso(new Date(2026, 10, 27, 9, 41, 7)), now)).toBe("09:41:07");
    expect(timeText(iso(new Date(2026, 10, 26, 9, 41, 7)), now)).toBe("26 Nov");
    expect(timeText(iso(new Date(2026, 10, 26, 9, 41, 7)), now, true)).toBe("26 Nov, 09:41:07");
    expect(timeText(iso(new Date(2025, 10, 26)), now)).toBe("26 Nov 2025");
  });

  it("uses the day of the chosen time zone, which begins earlier in Tokyo than in UTC", () => {
    const late = new Date("2026-11-27T16:00:00Z");
    expect(createTimeTexts("Asia/Tokyo")("2026-11-27T14:30:00Z", late, true)).toBe("27 Nov, 23:30:00");
    expect(createTimeTexts("UTC")("2026-11-27T14:30:00Z", late, true)).toBe("14:30:00");
  });

  it.each([
    [0, "0 ms"],
    [240, "240 ms"],
    [840, "840 ms"],
    [1_100, "1.1 s"],
    [220_000, "3 min 40 s"],
    [7_500_000, "2 h 5 min"],
    [273_600_000, "3 d 4 h"],
    [86_400_000, "1 d"],
  ])("writes %i ms as %s", (ms, text) => {
    expect(spanText(ms)).toBe(text);
  });
});
