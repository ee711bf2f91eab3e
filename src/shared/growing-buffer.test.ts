import { expect, it } from "vitest";
import { createGrowingBuffer } from "./growing-buffer.ts";

it("holds what was appended, in order", () => {
  const buffer = createGrowingBuffer();
  const pieces = Array.from({ length: 300 }, (_, n) => Buffer.alloc(n, n));
  for (const piece of pieces) buffer.append(piece);
  expect(buffer.view().equals(Buffer.concat(pieces))).toBe(true);
  buffer.clear();
  buffer.append(Buffer.from("again"));
  expect(buffer.view().toString()).toBe("again");
});
