import { expect, it } from "vitest";
import { heloNameWarning } from "./helo-name.ts";

it("warns of a machine without a full name, and says which setting to change and why", () => {
  const warning = heloNameWarning(undefined, "web-1");
  expect(warning).toMatch(/^HERMOD_HELO_NAME: .*"web-1" has no dot.*refuse.*PTR record.*mail\.example\.com/);
});

it.each([
  [undefined, "mail.example.com"],
  ["mail.example.com", "web-1"],
  ["bücher.example", "web-1"],
  ["192.0.2.1", "web-1"],
  ["[IPv6:2001:db8::1]", "web-1"],
])("does not warn where %s is set on the machine %s", (configured, machine) => {
  expect(heloNameWarning(configured, machine)).toBeUndefined();
});

it("warns of a name without a dot that is set", () => {
  expect(heloNameWarning("web-1", "mail.example.com")).toMatch(/"web-1" has no dot/);
});

it("names a setting that is neither a name nor an address", () => {
  expect(heloNameWarning("mail example", "mail.example.com")).toMatch(
    /"mail example" is neither.*gives mail\.example\.com/,
  );
  expect(heloNameWarning("mail example", "web-1")).toMatch(/is ignored.*has no dot/);
});
