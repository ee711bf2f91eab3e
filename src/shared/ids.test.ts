import { expect, it } from "vitest";
import { isTraceId, newId, newTraceId } from "./ids.ts";

it("ids are unique, tell their kind, and sort by the time they were made", () => {
  const early = newId("msg", new Date("2030-01-01T00:00:00.000Z"));
  const late = newId("msg", new Date("2030-01-01T00:00:00.001Z"));
  expect(early).toMatch(/^msg_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(early < late).toBe(true);
  const now = new Date();
  expect(new Set(Array.from({ length: 10_000 }, () => newId("msg", now))).size).toBe(10_000);
});

it("trace ids are told from anything else", () => {
  expect(isTraceId(newTraceId(new Date()))).toBe(true);
  expect(["", "sx_", "msg_01m7yjfh8ee56psw05wjkxtbt6", "sx_01m7yjfh8ee56psw05wjkxtbt!"].some(isTraceId)).toBe(
    false,
  );
});
