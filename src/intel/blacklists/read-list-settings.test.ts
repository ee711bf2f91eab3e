import { describe, expect, it } from "vitest";
import { readListSettings } from "./read-list-settings.ts";

describe("list settings of the operator", () => {
  it("are parsed, including several for one list", () => {
    expect(
      readListSettings([
        ...["spamhaus_zen:key=abc-1", "spamhaus_zen:queries=5000", "barracuda:registered"],
        ...["psbl:off", "spamcop:on"],
      ]),
    ).toEqual({
      spamhaus_zen: { key: "abc-1", queriesPerDay: 5_000 },
      barracuda: { isRegistered: true },
      psbl: { isOn: false },
      spamcop: { isOn: true },
    });
    expect(readListSettings([])).toEqual({});
  });

  it("take the last value", () => {
    expect(readListSettings(["psbl:off", "psbl:on"])).toEqual({ psbl: { isOn: true } });
  });

  it.each([
    ...["", "psbl", "psbl:", ":off", "psbl:OFF", "PSBL:off", "psbl:off ", " psbl:off", "psbl:off:on"],
    ...["a:key=", `a:key=${"k".repeat(64)}`, "a:key=a.b", "a:key=a b", "a:key=<key>", "a:key=a\nb"],
    ...["a:queries=0", "a:queries=-1", "a:queries=1.5", "a:queries=01", "a:queries=1e3"],
    ...["a:queries=9999999999", "a:queries=", "a:wait=1"],
  ])("reject an invalid item (%j)", (item) => {
    expect(readListSettings(["psbl:off", item])).toBeUndefined();
  });

  it("change only the named list, whatever its name", () => {
    const read = readListSettings(["__proto__:off", "constructor:on"]);
    expect(Object.keys(read ?? {})).toEqual(["__proto__", "constructor"]);
    expect({}).not.toHaveProperty("isOn");
  });
});
