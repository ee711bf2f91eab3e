import { describe, expect, it } from "vitest";
import { readChoices, readTexts } from "./read-texts.ts";

describe("the parameters of an address", () => {
  it("are texts, also those that the router reads as numbers", () => {
    expect(readTexts({ status: 404, q: "", other: ["a"], more: "b" }, ["status", "q", "other"])).toEqual({
      status: "404",
    });
  });

  it("are left out if their value is not one of the choices", () => {
    const choices = { state: { open: "Open" }, kind: { mail: "Mail" } };
    expect(readChoices({ state: "open", kind: "constructor" }, choices)).toEqual({ state: "open" });
    expect(readChoices({ state: "closed" }, choices)).toEqual({});
  });
});
