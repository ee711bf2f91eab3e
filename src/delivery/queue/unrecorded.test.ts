import { expect, it } from "vitest";
import { createUnrecorded, MAX_UNRECORDED } from "./unrecorded.ts";

it("starts nothing while too many results wait", () => {
  const unrecorded = createUnrecorded();
  const ends = Array.from({ length: MAX_UNRECORDED }, () => unrecorded.begin(0));
  expect([unrecorded.mayStart(0), unrecorded.mayFinish(0)]).toEqual([false, true]);
  ends[0]?.();
  expect(unrecorded.mayStart(0)).toBe(true);
});

it("starts nothing, and then finishes nothing, while the oldest result waits for long", () => {
  const unrecorded = createUnrecorded();
  const end = unrecorded.begin(1_000);
  const endLater = unrecorded.begin(1_900);
  expect([unrecorded.mayStart(1_499), unrecorded.mayStart(1_500)]).toEqual([true, false]);
  expect([unrecorded.mayFinish(1_999), unrecorded.mayFinish(2_000)]).toEqual([true, false]);
  end();
  expect([unrecorded.mayStart(2_000), unrecorded.mayFinish(2_000)]).toEqual([true, true]);
  endLater();
  expect([unrecorded.size, unrecorded.mayStart(9_000)]).toEqual([0, true]);
});
