import { expect, it } from "vitest";
import { createPace } from "./pace.ts";

/** Requests this many at once. @returns wait of the last one */
function waitOf(pace: ReturnType<typeof createPace>, count: number, nowMs: number): number {
  return Array.from({ length: count }, () => pace.next(nowMs)).at(-1) ?? 0;
}

it("slows down to 100 events per second, and not further, while a busy process has mail to deliver", () => {
  let mail = 0;
  const pace = createPace({ mailAttempts: () => mail, utilisation: () => 0.9 });
  expect(waitOf(pace, 500, 0)).toBe(0);
  for (let check = 0; check < 20; check++) {
    mail++;
    pace.check();
  }
  expect(Math.round(waitOf(pace, 100, 10_000))).toBe(950);
});

it("runs at full speed without mail, and while the process is not busy", () => {
  let mail = 0;
  let utilisation = 1;
  const pace = createPace({ mailAttempts: () => mail, utilisation: () => utilisation });
  for (let check = 0; check < 20; check++) pace.check();
  expect(waitOf(pace, 500, 0)).toBe(0);
  utilisation = 0.5;
  for (let look = 0; look < 20; look++) {
    mail++;
    pace.check();
  }
  expect(waitOf(pace, 500, 10_000)).toBe(0);
});

it("speeds up again after the load ends", () => {
  let mail = 0;
  let utilisation = 1;
  const pace = createPace({ mailAttempts: () => mail++, utilisation: () => utilisation });
  for (let check = 0; check < 20; check++) pace.check();
  utilisation = 0.5;
  for (let look = 0; look < 30; look++) pace.check();
  expect(waitOf(pace, 500, 10_000)).toBe(0);
});
