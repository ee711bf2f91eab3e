import { describe, expect, it } from "vitest";
import { nextCronTime, parseCron } from "./cron.ts";

const next = (expression: string, timezone: string, after: string) => {
  const times = parseCron(expression);
  return times && nextCronTime(times, timezone, new Date(after))?.toISOString();
};
const following = (expression: string, timezone: string, after: string, count: number) => {
  const found: (string | undefined)[] = [];
  for (let at: string | undefined = after; at !== undefined && found.length < count; ) {
    at = next(expression, timezone, at);
    found.push(at);
  }
  return found;
};

describe("a cron expression", () => {
  it.each([
    ["5 2 * * *", "2030-01-01T02:05:00.000Z", "2030-01-02T02:05:00.000Z"],
    ["5 2 * * *", "2030-01-01T02:04:59.999Z", "2030-01-01T02:05:00.000Z"],
    ["*/15 * * * *", "2030-01-01T23:46:00.000Z", "2030-01-02T00:00:00.000Z"],
    ["10-20/5,50 1 * * *", "2030-01-01T01:15:00.000Z", "2030-01-01T01:20:00.000Z"],
    ["30/10 1 * * *", "2030-01-01T01:40:00.000Z", "2030-01-01T01:50:00.000Z"],
    ["0 0 29 2 *", "2030-01-01T00:00:00.000Z", "2032-02-29T00:00:00.000Z"],
    ["0 0 29 2 *", "2096-03-01T00:00:00.000Z", "2104-02-29T00:00:00.000Z"],
    ["0 9 * * MON-FRI", "2030-01-04T09:00:00.000Z", "2030-01-07T09:00:00.000Z"],
    ["0 9 * JAN 7", "2030-01-01T00:00:00.000Z", "2030-01-06T09:00:00.000Z"],
    ["0 9 * * 0", "2030-01-01T00:00:00.000Z", "2030-01-06T09:00:00.000Z"],
    ["@monthly", "2030-01-01T00:00:00.000Z", "2030-02-01T00:00:00.000Z"],
    ["@yearly", "2030-01-01T00:00:00.000Z", "2031-01-01T00:00:00.000Z"],
  ])("%s is due after %s at %s", (expression, after, expected) => {
    expect(next(expression, "UTC", after)).toBe(expected);
  });

  it("with a day of the month and a weekday is due on either", () => {
    expect(following("0 0 13 * 5", "UTC", "2030-09-05T00:00:00.000Z", 3)).toEqual([
      "2030-09-06T00:00:00.000Z",
      "2030-09-13T00:00:00.000Z",
      "2030-09-20T00:00:00.000Z",
    ]);
  });

  it("that names a day that never exists has no time", () => {
    expect(next("0 0 30 2 *", "UTC", "2030-01-01T00:00:00.000Z")).toBeUndefined();
  });

  it("is refused if it has an unknown field, value or order", () => {
    const refused = ["", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *"];
    refused.push("* * * * 8", "5-1 * * * *", "*/0 * * * *", "1- * * * *", "a * * * *", "@reboot");
    refused.push("1,,2 * * * *", "1-2-3 * * * *", "-1 * * * *", "1.5 * * * *", "constructor");
    refused.push(`0 0 ${"1,".repeat(100)}1 * *`);
    expect(refused.filter((text) => parseCron(text) !== undefined)).toEqual([]);
  });
});

describe("a change of clocks in Berlin", () => {
  it("makes a skipped time due at the change", () => {
    expect(following("30 2 * * *", "Europe/Berlin", "2030-03-30T00:00:00.000Z", 3)).toEqual([
      "2030-03-30T01:30:00.000Z",
      "2030-03-31T01:00:00.000Z",
      "2030-04-01T00:30:00.000Z",
    ]);
  });

  it("makes a repeated time due once, the first time", () => {
    expect(following("30 2 * * *", "Europe/Berlin", "2030-10-26T00:00:00.000Z", 3)).toEqual([
      "2030-10-26T00:30:00.000Z",
      "2030-10-27T00:30:00.000Z",
      "2030-10-28T01:30:00.000Z",
    ]);
  });

  it("never makes a later local time due earlier", () => {
    expect(following("45 2,3 * * *", "Europe/Berlin", "2030-03-31T00:00:00.000Z", 2)).toEqual([
      "2030-03-31T01:00:00.000Z",
      "2030-03-31T01:45:00.000Z",
    ]);
    // From the second 02:30 on, after the repeated hour.
    const second = "2030-10-27T01:30:00.000Z";
    expect(next("*/30 * * * *", "Europe/Berlin", second)).toBe("2030-10-27T02:00:00.000Z");
  });
});

describe("other zones", () => {
  it("count half hours, the date line and a midnight that does not exist", () => {
    const found = [
      next("0 2 * * *", "Australia/Lord_Howe", "2030-10-05T14:00:00.000Z"),
      next("0 0 * * *", "Pacific/Kiritimati", "2030-01-01T00:00:00.000Z"),
      next("0 0 * * *", "Africa/Cairo", "2030-04-25T12:00:00.000Z"),
    ];
    expect(found).toEqual([
      "2030-10-05T15:30:00.000Z",
      "2030-01-01T10:00:00.000Z",
      "2030-04-25T22:00:00.000Z",
    ]);
  });
});
