import { describe, expect, it } from "vitest";
import { readVersionSearch } from "./version-search.ts";

describe("the address of a list of versions", () => {
  it("has the numbers of the open and the compared versions", () => {
    const search = { version: 3, before: 1, after: 2 };
    expect(readVersionSearch({ ...search, tab: "versions" })).toEqual(search);
  });

  it.each([
    [{ version: "3" }],
    [{ version: 0, before: -1, after: 1.5 }],
    [{ version: Number.MAX_SAFE_INTEGER + 1 }],
  ])("ignores %j", (search) => {
    expect(readVersionSearch(search)).toEqual({});
  });
});
