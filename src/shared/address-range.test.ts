import { expect, it } from "vitest";
import { addressAllowed, isAddressRange } from "./address-range.ts";

it.each([
  [[], "203.0.113.7", true],
  [["203.0.113.7"], "203.0.113.7", true],
  [["203.0.113.7"], "203.0.113.8", false],
  [["203.0.113.0/24"], "::ffff:203.0.113.9", true],
  [["2001:db8::/32"], "2001:db8:1::1", true],
  [["2001:db8::/32"], "203.0.113.7", false],
  [["::ffff:203.0.113.7"], "203.0.113.7", true],
  [["0.0.0.0/0"], "", false],
  [["0.0.0.0/0"], "nonsense", false],
])("ranges %j and the address %s: %s", (ranges, address, expected) => {
  expect(addressAllowed(ranges, address)).toBe(expected);
});

it("knows what can be matched", () => {
  expect(["1.2.3.4", "::1", "10.0.0.0/8"].every(isAddressRange)).toBe(true);
  expect(["", "1.2.3.4.5", "10.0.0.0/33", "example.com"].some(isAddressRange)).toBe(false);
});
