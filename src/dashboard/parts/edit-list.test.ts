import { describe, expect, it } from "vitest";
import { withItem, withMoved, withoutItem } from "./edit-list.ts";

describe("an edited list", () => {
  const list = ["a", "b", "c"];

  it("has another item, or lacks one, and the former list stays", () => {
    expect(withItem(list, 1, "x")).toEqual(["a", "x", "c"]);
    expect(withoutItem(list, 0)).toEqual(["b", "c"]);
    expect(list).toEqual(["a", "b", "c"]);
  });

  it.each([
    [0, 1, ["b", "a", "c"]],
    [2, -1, ["a", "c", "b"]],
    [0, 2, ["b", "c", "a"]],
  ])("has the item at %i moved by %i", (at, by, moved) => {
    expect(withMoved(list, at, by)).toEqual(moved);
  });
});
