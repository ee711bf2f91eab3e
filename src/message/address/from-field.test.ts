import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuSecondsOf, HOSTILE_INPUT_CPU_SECONDS } from "../../../test/harness/cpu-seconds.ts";
import { say } from "../../shared/fault-text.ts";
import { formatMailbox } from "./addresses.ts";
import { readFromField } from "./from-field.ts";

describe("a From field", () => {
  it.each([
    ["a@example.com", "a@example.com"],
    ["<a@example.com>", "a@example.com"],
    ["A B <a@EXAMPLE.com>", "a@example.com"],
    ['"A, B: C; <x>" <a@example.com>', "a@example.com"],
    ['"say \\"hi\\"" <a@example.com>', "a@example.com"],
    ["a@example.com (A. B)", "a@example.com"],
    ['"a@example.org" <a@example.com>', "a@example.com"],
    ["=?utf-8?Q?a=40example.com?= <a@example.com>", "a@example.com"],
  ])("%s has the domain %s", (value, address) => {
    expect(readFromField("From", value)).toEqual({ ok: true, address });
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
    ["other@example.org <a@example.com>"],
    ["(a@example.org) <a@example.com>"],
    ["a@example.com (A. (nested) B)"],
    ['"john doe"@example.com'],
    ["=?utf-8?Q?a=40example.org?= <a@example.com>"],
    [`${"x ".repeat(2000)}<a@example.com>`],
  ])("%j does not have exactly one address", (value) => {
    expect(readFromField("From", value).ok).toBe(false);
  });

  it("names the field and its problem", () => {
    expect(readFromField("Resent-From", "a@example.com, b@example.com")).toEqual({
      ok: false,
      message: say("from_several", { name: "Resent-From" }),
    });
    expect(String(say("from_several", { name: "Resent-From" }))).toBe(
      "Resent-From has several addresses, a group, a route, or a name with an unquoted comma, colon or semicolon.",
    );
  });

  it("is checked in linear time, regardless of its length and its end", () => {
    for (const piece of ["a ", '"a" ', "=?utf-8?q?a?= ", "a@b.c ", '"', "\\", "<", "(", "a@", " ", "\r\n "]) {
      const took = cpuSecondsOf(() => {
        for (let i = 0; i < 20; i++) readFromField("From", piece.repeat(4_000 / piece.length));
      });
      expect(took).toBeLessThan(HOSTILE_INPUT_CPU_SECONDS);
    }
  });

  it("is read in the form of formatMailbox, for any name", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (displayName) => {
        const value = formatMailbox({ address: "a@example.com", displayName });
        expect(readFromField("From", value)).toEqual({ ok: true, address: "a@example.com" });
      }),
    );
  });
});
