import { describe, expect, it } from "vitest";
import { readPolicySearch } from "./tabs.ts";

describe("the address of a policy's page", () => {
  it("has its tab and the numbers of versions", () => {
    const search = { tab: "versions", version: 3, before: 1, after: 2 };
    expect(readPolicySearch(search)).toEqual(search);
  });

  it.each([[{ tab: "settings" }], [{ tab: "constructor" }]])("ignores %j", (search) => {
    expect(readPolicySearch(search)).toEqual({});
  });
});
