import fc from "fast-check";
import { expect, it } from "vitest";
import { createTimeQueue } from "./time-queue.ts";

it("returns the earliest entry, for any order of additions, changes and removals", () => {
  const step = fc.record({
    do: fc.constantFrom("set", "set", "delete"),
    id: fc.constantFrom("a", "b", "c", "d", "e"),
    at: fc.nat(20),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = createTimeQueue();
      const model = new Map<string, number>();
      for (const one of steps) {
        if (one.do === "set") {
          queue.set(one.id, new Date(one.at));
          model.set(one.id, one.at);
        } else {
          queue.delete(one.id);
          model.delete(one.id);
        }
        const first = queue.first();
        expect(first?.at.getTime()).toBe(model.size > 0 ? Math.min(...model.values()) : undefined);
        const earliest = [...model].filter(([, at]) => at === first?.at.getTime()).map(([id]) => id);
        expect(first?.id).toBe(earliest.sort()[0]);
      }
    }),
  );
});
