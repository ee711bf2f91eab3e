import { describe, expect, it } from "vitest";
import { createChangesUnderWay } from "./changes-under-way.ts";

describe("changes in progress", () => {
  it("refuses the same change during a double click", () => {
    const waiting: (() => void)[] = [];
    const changes = createChangesUnderWay((_ms, run) => waiting.push(run));
    const begin = () => changes.begin({ name: "a" });
    expect([begin(), begin()]).toEqual([true, false]);
    changes.succeed({ name: "a" });
    expect(begin()).toBe(false);
    for (const run of waiting) run();
    expect(begin()).toBe(true);
  });

  it("allows a failed change to be retried at once", () => {
    const changes = createChangesUnderWay();
    changes.begin({ name: "a" });
    changes.fail({ name: "a" });
    expect(changes.begin({ name: "a" })).toBe(true);
  });

  it("allows one change without variables at a time", () => {
    const changes = createChangesUnderWay();
    expect([changes.begin(undefined), changes.begin(undefined)]).toEqual([true, false]);
  });

  it("allows a different change at the same time", () => {
    const changes = createChangesUnderWay();
    expect([changes.begin("of one row"), changes.begin("of another row")]).toEqual([true, true]);
  });

  it("does not confuse two files", () => {
    const changes = createChangesUnderWay();
    const [one, other] = [new File(["a"], "list.csv"), new File(["b"], "list.csv")];
    expect([changes.begin(one), changes.begin(other), changes.begin(one)]).toEqual([true, true, false]);
  });
});
