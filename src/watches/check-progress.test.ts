import fc from "fast-check";
import { expect, it } from "vitest";
import { checkParts } from "../intel/run-checks.ts";
import { createCheckProgress } from "./check-progress.ts";

it("writes all parts in the end, never two at a time, and never fewer than before", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.shuffledSubarray([...checkParts], { minLength: 1 }),
      fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
      async (scheduler, parts, failures) => {
        const sizes: number[] = [];
        let running = 0;
        let last: readonly string[] = [];
        const progress = createCheckProgress(async (done) => {
          expect(++running).toBe(1);
          await scheduler.schedule(Promise.resolve());
          running--;
          sizes.push(done.length);
          last = done;
          if (failures[sizes.length - 1]) throw new Error("the store is away");
        });
        const ended = parts.map((part) =>
          scheduler.schedule(Promise.resolve()).then(() => progress.onPart(part)),
        );
        await scheduler.waitFor(Promise.all(ended).then(() => progress.settled()));
        expect(last).toHaveLength(parts.length);
        expect(new Set(last)).toEqual(new Set(parts));
        expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
      },
    ),
  );
});
