import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCaa } from "./read-caa.ts";

const record = (tag: string, value: string, flags = 0) => ({ flags, tag, value });

describe("CAA records", () => {
  it.each<[string, ReturnType<typeof record>[], string[] | undefined]>([
    [
      "name authorities",
      [record("issue", "ca.example"), record("ISSUE", "B-1.test")],
      ["ca.example", "b-1.test"],
    ],
    ["with parameters", [record("issue", " ca.example ; account=230123; policy = ev ")], ["ca.example"]],
    ["with a parameter's end", [record("issue", "ca.example;")], ["ca.example"]],
    ["forbid all", [record("issue", ";")], []],
    ["forbid all by an empty value", [record("issue", "")], []],
    ["forbid all but one", [record("issue", ";"), record("issue", "ca.example")], ["ca.example"]],
    ["restrict wildcards alone", [record("issuewild", ";")], undefined],
    ["only ask for reports", [record("iodef", "mailto:security@example.com")], undefined],
    ["have a tag that nobody has to know", [record("tbs", "x")], undefined],
    ["have a critical tag that is known", [record("issue", "ca.example", 128)], ["ca.example"]],
  ])("%s", (_, records, issuers) => {
    expect(readCaa(records)).toEqual({ issuers, problems: [] });
  });

  it.each<[string, ReturnType<typeof record>, string]>([
    ["an authority with a scheme", record("issue", "https://ca.example"), "does not name a valid authority"],
    [
      "two authorities in one value",
      record("issue", "ca.example, b.example"),
      "does not name a valid authority",
    ],
    [
      "a parameter without a value's sign",
      record("issue", "ca.example; ev"),
      "does not name a valid authority",
    ],
    ["a wildcard's authority that is none", record("issuewild", "%%%"), "issuewild"],
    ["a report to nowhere", record("iodef", "security@example.com"), "iodef"],
    ["an unknown critical tag", record("tbs", "x", 128), "critical"],
    ["a tag of odd octets", record("is sue", "ca.example"), "unreadable tag"],
    ["no tag", record("", "ca.example"), "unreadable tag"],
  ])("%s is a problem", (_, one, words) => {
    expect(readCaa([one]).problems).toMatchObject([{ text: expect.stringContaining(words) }]);
  });

  it("that are unreadable allow no authority: it must not guess", () => {
    expect(readCaa([record("issue", "ca.example, b.example")]).issuers).toEqual([]);
  });

  it("with arbitrary octets are read quickly and reported as plain text", () => {
    const text = fc.string({ unit: "binary", maxLength: 2_000 });
    fc.assert(
      fc.property(fc.constantFrom("issue", "issuewild", "iodef"), text, text, (tag, value, other) => {
        const { problems } = readCaa([record(tag, value), record(other, value, 255)]);
        for (const { text } of problems) expect(text).toMatch(/^[ -~…]{1,300}$/);
      }),
    );
    const began = performance.now();
    for (const part of [" ", "a", "a-", "a.", ";", "a=", "; a = b"])
      readCaa([record("issue", `${part.repeat(60_000)}!`)]);
    for (const part of [" ", "a-", "a.", "; a = b"])
      readCaa([record("issue", `${part.repeat(1_000 / part.length)}!`)]);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
