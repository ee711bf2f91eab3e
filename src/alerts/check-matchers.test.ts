import { describe, expect, it } from "vitest";
import { checkMatchers, meetsEverything } from "./check-matchers.ts";
import type { Condition, Matchers } from "./condition.ts";

const one = (field: string, op: string, value: unknown) => ({ field, op, value }) as Condition;
const only = (...match: Condition[]): Matchers => ({ match, any: [] });

function faultsOf(matchers: Matchers): string[] {
  const found: string[] = [];
  checkMatchers(matchers, (pointer, code) => found.push(`${pointer} ${code}`));
  return found;
}

describe("conditions that can be met", () => {
  it.each([
    one("event_type", "eq", ""),
    one("event_type", "in", ["a"]),
    one("source", "prefix", "db-"),
    one("message", "contains", "\u202e"),
    one("entity_id", "exists", false),
    one("severity", "gte", "warning"),
    one("severity", "in", ["info", "critical"]),
    one("context.load", "gte", 0.5),
    one("context.a.b.c.d.e.f.g.h", "eq", true),
    one("context.host", "glob", "*.example.com"),
  ])("are accepted: %j", (condition) => {
    expect(faultsOf(only(condition))).toEqual([]);
    expect(faultsOf({ match: [], any: [condition] })).toEqual([]);
  });
});

describe("conditions that no alert can meet as intended", () => {
  it.each([
    ["/field", one("type", "eq", "x")],
    ["/field", one("context", "exists", true)],
    ["/field", one("context.", "exists", true)],
    ["/field", one("context.a..b", "exists", true)],
    ["/field", one("context.a.b.c.d.e.f.g.h.i", "exists", true)],
    ["/field", one(`context.${"a".repeat(200)}`, "exists", true)],
    ["/op", one("severity", "prefix", "w")],
    ["/op", one("severity", "ne", "info")],
    ["/op", one("source", "gte", "a")],
    ["/op", one("source", "matches", ".*")],
    ["/value", one("severity", "gte", "fatal")],
    ["/value", one("severity", "in", ["warning", "error"])],
    ["/value", one("source", "eq", 5)],
    ["/value", one("source", "in", [])],
    ["/value", one("source", "in", Array(101).fill("a"))],
    ["/value", one("source", "in", ["a", 1])],
    ["/value", one("source", "eq", ["a"])],
    ["/value", one("source", "prefix", "")],
    ["/value", one("source", "contains", "x".repeat(1_001))],
    ["/value", one("entity_id", "exists", "true")],
    ["/value", one("context.n", "gte", "5")],
    ["/value", one("context.n", "lte", Number.NaN)],
  ])("are reported with their position: %s of %j", (position, condition) => {
    expect(faultsOf(only(condition))).toEqual([`/match/0${position} field.invalid`]);
    expect(faultsOf({ match: [], any: [condition] })).toEqual([`/any/0${position} field.invalid`]);
  });

  it("are all reported at once", () => {
    const many = Array.from({ length: 33 }, () => one("source", "eq", "a"));
    expect(faultsOf(only(...many))).toEqual(["/match field.too_many"]);
    const two = { match: [one("type", "eq", "x")], any: [one("source", "eq", 1), one("message", "gte", 1)] };
    expect(faultsOf(two)).toEqual([
      "/match/0/field field.invalid",
      "/any/0/value field.invalid",
      "/any/1/op field.invalid",
    ]);
  });
});

describe("conditions that every alert meets", () => {
  it.each([
    [true, only()],
    [true, only(one("message", "glob", "*"))],
    [true, only(one("severity", "gte", "info"), one("source", "exists", true))],
    [true, only(one("severity", "lte", "critical"))],
    [true, only(one("severity", "in", ["critical", "info", "warning"]))],
    [true, { match: [], any: [one("source", "eq", "a"), one("event_type", "glob", "**")] }],
    [false, only(one("message", "glob", "*'*"))],
    [false, only(one("entity_id", "glob", "*"))],
    [false, only(one("severity", "gte", "warning"))],
    [false, only(one("severity", "in", ["critical", "info"]))],
    [false, { match: [], any: [one("source", "eq", "a")] }],
    [false, only(one("message", "glob", "*"), one("source", "eq", "a"))],
  ])("is known: %s of %j", (expected, matchers) => {
    expect(meetsEverything(matchers)).toBe(expected);
  });
});
