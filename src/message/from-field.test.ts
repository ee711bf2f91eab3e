import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatMailbox } from "./addresses.ts";
import { readFromField } from "./from-field.ts";

describe("a From field", () => {
  it.each([
    ["a@example.com", "a@example.com"],
    ["<a@example.com>", "a@example.com"],
    ["A B <a@EXAMPLE.com>", "a@example.com"],
    ['"A, B: C; <x>" <a@example.com>', "a@example.com"],
    ['"say \\"hi\\"" <a@example.com>', "a@example.com"],
    ["a@example.com (A. (nested) B)", "a@example.com"],
    ["(a@example.org) <a@example.com> (b@example.org)", "a@example.com"],
    ["other@example.org <a@example.com>", "a@example.com"],
    ['"john doe"@example.com', '"john doe"@example.com'],
    ["=?utf-8?Q?a=40example.org?= <a@example.com>", "a@example.com"],
  ])("%s is of %s", (value, address) => {
    expect(readFromField(value)).toEqual({ ok: true, address });
  });

  it.each([
    [""],
    ["A B"],
    ["a@example.com b@example.com"],
    ["a@example.com, b@example.com"],
    ["a@example.com,"],
    ["undisclosed:;"],
    ["<@relay.example:a@example.com>"],
    ["<a@example.com> <b@example.com>"],
    ["<a@example.com> b@example.com"],
    ["<<a@example.com>>"],
    ["<a@example.com"],
    ["a@example.com>"],
    ['"a <a@example.com>'],
    ["(a <a@example.com>"],
    [") <a@example.com>"],
    ["<a@example.com (>"],
    ["<>"],
    ["<a@ex\ufffdmple.com>"],
  ])("%j has not one address", (value) => {
    expect(readFromField(value).ok).toBe(false);
  });

  it("is read as formatMailbox writes it, whatever the name", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (displayName) => {
        const value = formatMailbox({ address: "a@example.com", displayName });
        expect(readFromField(value)).toEqual({ ok: true, address: "a@example.com" });
      }),
    );
  });
});
