import { expect, it } from "vitest";
import { createSizeQueues } from "./size-queues.ts";

it("lets nothing small wait for anything large", async () => {
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const batches: number[][] = [];
  const most = createSizeQueues<number, number>({
    run: async (items) => {
      batches.push([...items]);
      if (items.some((size) => size > 65_536)) await held;
      return items.map((value) => ({ ok: true, value }));
    },
    maxItems: 10,
    maxSize: 1_000_000,
    sizeOf: (size) => size,
    maxConcurrent: 1,
    maxConcurrentLarge: 1,
  });
  const large = [600_000, 600_000, 100_000].map((size) => most.submit(size));
  expect(await Promise.all([1, 2, 3].map((size) => most.submit(size)))).toEqual([1, 2, 3]);
  expect(await most.submit(65_536)).toBe(65_536);
  letGo();
  await Promise.all(large);
  await most.idle();
  expect(batches).toEqual([[600_000], [1, 2, 3], [65_536], [600_000, 100_000]]);
});
