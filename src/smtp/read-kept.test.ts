import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { createCapacity, useKept } from "./read-kept.ts";

const streamOf = (...sizes: readonly number[]) => Readable.from(sizes.map((size) => Buffer.alloc(size, "x")));

it("keeps the first octets, counts all of them, and gives the room back", async () => {
  const capacity = createCapacity(10);
  const kept = await useKept(streamOf(4, 4, 4), { maxBytes: 6, capacity: capacity }, async (one) => one);
  expect([kept.source.length, kept.sizeBytes]).toEqual([6, 12]);
  expect(capacity.take(10)).toBe(true);
});

it("reads what has no room to its end, keeps nothing of it, and leaves the others theirs", async () => {
  const capacity = createCapacity(10);
  capacity.take(5);
  const stream = streamOf(4, 4, 4);
  const reading = useKept(stream, { maxBytes: 100, capacity: capacity }, async () => "used");
  await expect(reading).rejects.toMatchObject({ code: "service.busy" });
  expect(stream.readableEnded).toBe(true);
  expect([capacity.take(6), capacity.take(5)]).toEqual([false, true]);
});

it("gives the room back when its use fails, or the client goes away", async () => {
  const capacity = createCapacity(10);
  const failing = useKept(streamOf(10), { maxBytes: 100, capacity: capacity }, async () => {
    throw new Error("no use");
  });
  await expect(failing).rejects.toThrow("no use");
  const gone = Readable.from(
    (async function* () {
      yield Buffer.alloc(10);
      throw new Error("gone");
    })(),
  );
  await expect(useKept(gone, { maxBytes: 100, capacity: capacity }, async () => "used")).rejects.toThrow(
    "gone",
  );
  expect(capacity.take(10)).toBe(true);
});
