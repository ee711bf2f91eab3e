import { expect, it } from "vitest";
import { createCached } from "./cached.ts";

function counted(ttlMs = 60_000) {
  const loads: string[] = [];
  let value: { v: number } | undefined = { v: 1 };
  const cached = createCached<{ v: number }>({
    load: async (key) => {
      loads.push(key);
      return value;
    },
    ttlMs,
    maxEntries: 10,
  });
  return { cached, loads, set: (next: { v: number } | undefined) => (value = next) };
}

it("loads once for callers that come together and for those that come later", async () => {
  const { cached, loads } = counted();
  await Promise.all([cached.get("a"), cached.get("a")]);
  await cached.get("a");
  expect(loads).toEqual(["a"]);
});

it("does not remember that something is not there", async () => {
  const { cached, set } = counted();
  set(undefined);
  expect(await cached.get("a")).toBeUndefined();
  set({ v: 2 });
  expect(await cached.get("a")).toEqual({ v: 2 });
});

it("keeps nothing that was loaded before a clear", async () => {
  const { cached, set } = counted();
  const early = cached.get("a");
  cached.clear();
  set({ v: 2 });
  await early;
  expect(await cached.get("a")).toEqual({ v: 2 });
});

it("remembers nothing at all with a time of 0", async () => {
  const { cached, loads } = counted(0);
  await cached.get("a");
  await cached.get("a");
  expect(loads.length).toBe(2);
});
