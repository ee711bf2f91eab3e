import { expect, it } from "vitest";
import { createPace } from "./pace.ts";

/** Asks for so many at once. @returns how long the last of them waits */
function waitOf(pace: ReturnType<typeof createPace>, count: number, nowMs: number): number {
  return Array.from({ length: count }, () => pace.next(nowMs)).at(-1) ?? 0;
}

it("slows down while a busy process has mail to deliver, to a hundred a second, and no further", () => {
  let mail = 0;
  const pace = createPace({ mailAttempts: () => mail, utilisation: () => 0.9 });
  expect(waitOf(pace, 500, 0)).toBe(0);
  for (let look = 0; look < 20; look++) {
    mail++;
    pace.look();
  }
  expect(Math.round(waitOf(pace, 100, 10_000))).toBe(950);
});

it("goes as fast as it can without mail, and while the process has time", () => {
  let mail = 0;
  let utilisation = 1;
  const pace = createPace({ mailAttempts: () => mail, utilisation: () => utilisation });
  for (let look = 0; look < 20; look++) pace.look();
  expect(waitOf(pace, 500, 0)).toBe(0);
  utilisation = 0.5;
  for (let look = 0; look < 20; look++) {
    mail++;
    pace.look();
  }
  expect(waitOf(pace, 500, 10_000)).toBe(0);
});

it("grows again when it is over", () => {
  let mail = 0;
  let utilisation = 1;
  const pace = createPace({ mailAttempts: () => mail++, utilisation: () => utilisation });
  for (let look = 0; look < 20; look++) pace.look();
  utilisation = 0.5;
  for (let look = 0; look < 30; look++) pace.look();
  expect(waitOf(pace, 500, 10_000)).toBe(0);
});
