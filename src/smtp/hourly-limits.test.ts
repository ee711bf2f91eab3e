import { expect, it } from "vitest";
import { createHourlyLimits } from "./hourly-limits.ts";

const limitsAt = (clock: { nowMs: number }) =>
  createHourlyLimits({ each: 20, inAll: 200, clock: { monotonicMs: () => clock.nowMs } });

it("each may bring about so many mails in an hour, and others as many", () => {
  const clock = { nowMs: 0 };
  const limits = limitsAt(clock);
  for (let i = 0; i < 20; i++) expect(limits.take("a")).toBe(true);
  expect([limits.allows("a"), limits.take("a")]).toEqual([false, false]);
  expect([limits.allows("b"), limits.take("b")]).toEqual([true, true]);
  clock.nowMs = 3_600_000;
  expect(limits.take("a")).toBe(true);
});

it("all together may bring about so many, and who is refused takes nothing from the others", () => {
  const limits = limitsAt({ nowMs: 0 });
  for (let i = 0; i < 30; i++) limits.take("a");
  let taken = 0;
  for (let i = 0; i < 300; i++) if (limits.take(`b${i % 250}`)) taken++;
  expect(taken).toBe(180);
  expect(limits.allows("c")).toBe(false);
});
