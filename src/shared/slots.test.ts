import { expect, it } from "vitest";
import { createSlots } from "./slots.ts";

it("runs no more at once than it has slots, in order, and gives a slot back after a failure", async () => {
  const inSlot = createSlots(2);
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const task = (id: number) =>
    inSlot(async () => {
      started.push(id);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (id === 0) throw new Error("failed");
      return id;
    });
  const results = Promise.allSettled([0, 1, 2, 3].map(task));
  await new Promise(setImmediate);
  expect(started).toEqual([0, 1]);
  ends[0]?.();
  await new Promise(setImmediate);
  expect(started).toEqual([0, 1, 2]);
  for (let i = 1; i < 4; i++) {
    ends[i]?.();
    await new Promise(setImmediate);
  }
  expect((await results).map(({ status }) => status)).toEqual([
    "rejected",
    "fulfilled",
    "fulfilled",
    "fulfilled",
  ]);
});
