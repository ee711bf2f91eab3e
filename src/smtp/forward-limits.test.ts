import { expect, it } from "vitest";
import { createForwardLimits } from "./forward-limits.ts";

function limitsAt(clock: { nowMs: number }) {
  return createForwardLimits({ clock: { now: () => new Date(clock.nowMs), monotonicMs: () => clock.nowMs } });
}

it("a network may bring about 20 mails in an hour, and others as many", () => {
  const clock = { nowMs: 0 };
  const limits = limitsAt(clock);
  for (let i = 0; i < 20; i++) expect(limits.take(`2001:db8::${i}`)).toBe(true);
  expect([limits.allows("2001:db8::ffff"), limits.take("2001:db8::ffff")]).toEqual([false, false]);
  expect([limits.allows("192.0.2.1"), limits.take("192.0.2.1")]).toEqual([true, true]);
  clock.nowMs = 3_600_000;
  expect(limits.take("2001:db8::1")).toBe(true);
});

it("all together may bring about 200, and who is refused takes nothing from the others", () => {
  const limits = limitsAt({ nowMs: 0 });
  for (let i = 0; i < 30; i++) limits.take("192.0.2.1");
  let taken = 0;
  for (let i = 0; i < 300; i++) if (limits.take(`198.51.100.${i % 250}`)) taken++;
  expect(taken).toBe(180);
  expect(limits.allows("203.0.113.1")).toBe(false);
});
