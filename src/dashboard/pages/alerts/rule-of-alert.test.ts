import { describe, expect, it } from "vitest";
import { ruleOfAlert } from "./rule-of-alert.ts";

const alert = {
  event_type: "disk.full",
  source: "cron",
  severity: "warning" as const,
  message: "/var is full",
};

describe("a rule made of an alert", () => {
  it("matches alerts of the same type and source that are as severe", () => {
    expect(ruleOfAlert(alert).match).toEqual([
      { field: "event_type", op: "eq", value: "disk.full" },
      { field: "source", op: "eq", value: "cron" },
      { field: "severity", op: "gte", value: "warning" },
    ]);
  });

  it("names no severity if it is the lowest", () => {
    expect(ruleOfAlert({ ...alert, severity: "info" }).match).toHaveLength(2);
  });
});
