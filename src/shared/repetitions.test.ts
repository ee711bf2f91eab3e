import { expect, it } from "vitest";
import { createRepetitions } from "./repetitions.ts";

/** Lines as they are written: the key, and the count when there is one. */
function counting(options: { readonly maxKeys?: number } = {}) {
  let nowMs = 0;
  const written: string[] = [];
  const clock = { monotonicMs: () => nowMs };
  const repetitions = createRepetitions({ clock, periodMs: 30_000, few: 3, maxKeys: 100, ...options });
  return {
    repetitions,
    add: (key: string, times = 1) => {
      for (let i = 0; i < times; i++) {
        repetitions.add({
          key,
          write: (repeated) => written.push(repeated > 0 ? `${key} x${repeated}` : key),
        });
      }
    },
    pass: (ms: number) => {
      nowMs += ms;
      return repetitions.sweep();
    },
    written: () => written.splice(0),
  };
}

it("writes a few of the same at once, and then one per period with the count of the others", () => {
  const { add, pass, written } = counting();
  add("disk full", 1_000);
  add("other");
  expect(written()).toEqual(["disk full", "disk full", "disk full", "other"]);
  pass(29_999);
  expect(written()).toEqual([]);
  pass(1);
  expect(written()).toEqual(["disk full x997"]);
  add("disk full", 500);
  pass(30_000);
  expect(written()).toEqual(["disk full x500"]);
});

it("starts again after a period without any", () => {
  const { add, pass, written } = counting();
  add("disk full", 4);
  expect(pass(30_000)).toBe(true);
  expect(pass(30_000)).toBe(false);
  written();
  add("disk full", 2);
  expect(written()).toEqual(["disk full", "disk full"]);
});

it("writes what was counted at the end", () => {
  const { add, repetitions, written } = counting();
  add("a", 5);
  add("b", 3);
  written();
  repetitions.flush();
  repetitions.flush();
  expect(written()).toEqual(["a x2"]);
});

it("remembers so many lines at most, and loses no count of those it forgets", () => {
  const { add, repetitions, written } = counting({ maxKeys: 2 });
  add("a", 5);
  add("b", 4);
  written();
  add("c", 4);
  expect(written()).toEqual(["a x2", "c", "c", "c"]);
  repetitions.flush();
  expect(written()).toEqual(["b x1", "c x1"]);
});
