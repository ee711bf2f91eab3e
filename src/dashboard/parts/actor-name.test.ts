import { describe, expect, it } from "vitest";
import { actorName } from "./actor-name.ts";

describe("the name of an actor", () => {
  it.each([
    [{ kind: "user", id: "usr_1", name: "ada@example.com" }, "ada@example.com"],
    [{ kind: "key", id: "key_1", name: "" }, "key_1"],
    [{ kind: "system", id: "", name: "" }, "Hermod"],
    [{ kind: "later_kind", id: "", name: "" }, "later kind"],
  ])("of %j is %s", (actor, name) => {
    expect(actorName(actor)).toBe(name);
  });
});
