import { describe, expect, it } from "vitest";
import { isDateTime } from "./date-time.ts";

describe("a date-time", () => {
  it.each([
    "Fri, 21 Nov 1997 09:55:06 -0600",
    "21 Nov 1997 09:55:06 -0600",
    "Fri, 21 Nov 1997 09:55 -0600",
    "Fri, 1 Nov 1997 09:55:06 +0000 (UTC)",
    "Fri,  1 Nov 2026 09:55:06 +0200 (Eastern European Standard Time)",
    "21 Nov 97 09:55:06 GMT",
    "Fri, 21 Nov 1997 09(comment):   55  :  06 -0600",
    "Thu, 29 Feb 2024 23:59:60 Z",
    "sat, 21 nov 2026 10:00:00 EST",
    "Sat, 21 Nov 2026 10:00:00 -0000",
  ])("accepts %s", (value) => {
    expect(isDateTime(value)).toBe(true);
  });

  it.each([
    "",
    "yesterday",
    "2026-11-21T10:00:00Z",
    "Sat Nov 21 10:00:00 2026",
    "Sat, 21 Nov 2026",
    "Sat, 21 Nov 2026 10:00:00",
    "Sat, 31 Nov 2026 10:00:00 +0000",
    "Sun, 29 Feb 2026 10:00:00 +0000",
    "Sat, 21 Nov 2026 24:00:00 +0000",
    "Sat, 21 Nov 2026 10:60:00 +0000",
    "Sat, 21 Nov 2026 10:00:00 +0060",
    "Sat, 21 Foo 2026 10:00:00 +0000",
    "Sat, 21 Nov 2026 10:00:00 +0000 (UTC",
    "Sat, 21 Nov 2026 10:00:00 +0000 x",
    "Foo, 21 Nov 2026 10:00:00 +0000",
    "Sat, 0 Nov 2026 10:00:00 +0000",
    "Sat, 21 Nov 1826 10:00:00 +0000",
  ])("refuses %j", (value) => {
    expect(isDateTime(value)).toBe(false);
  });
});
