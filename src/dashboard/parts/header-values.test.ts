import { describe, expect, it } from "vitest";
import { hasStoredValue, sentHeaders, storedHeaders } from "./header-values.ts";

describe("headers in a form", () => {
  const names = ["Authorization", "X-Team"];

  it("keep their stored values if they are not changed", () => {
    expect(sentHeaders(storedHeaders(names))).toEqual([{ name: "Authorization" }, { name: "X-Team" }]);
  });

  it("are sent with new values, and without empty rows", () => {
    const headers = [
      { name: "X-Key", value: "secret" },
      { name: "", value: "" },
    ];
    expect(sentHeaders(headers)).toEqual([{ name: "X-Key", value: "secret" }]);
  });

  it("rely on a stored value only if it has no new one", () => {
    expect(hasStoredValue(storedHeaders(["authorization"]), names)).toBe(true);
    expect(hasStoredValue([{ name: "Authorization", value: "new" }], names)).toBe(false);
    expect(hasStoredValue([{ name: "X-Key", value: "" }], names)).toBe(false);
  });
});
