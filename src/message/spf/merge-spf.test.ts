import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSpf, mergeSpf, missingTerms } from "./merge-spf.ts";

const mechanism = fc.constantFrom(
  "mx",
  "a:mail.test",
  "include:_spf.test",
  "ip4:192.0.2.0/24",
  "-ptr",
  "?exists:x.test",
);
const end = fc.constantFrom("-all", "~all", "?all", "redirect=other.test", "");
const record = fc
  .tuple(fc.array(mechanism, { maxLength: 4 }), end)
  .map(([words, last]) => ["v=spf1", ...words, last].filter(Boolean).join(" "));
const terms = fc.uniqueArray(
  fc.constantFrom("include:_spf.hermod.test", "ip4:192.0.2.7", "ip6:2001:db8::1"),
  {
    minLength: 1,
  },
);

describe("records that are merged", () => {
  it("are one record that allows the wanted senders, keeps all existing ones, and is its own merger", () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 3 }), terms, (records, wanted) => {
        const merged = mergeSpf(records, wanted);
        expect(isSpf(merged)).toBe(true);
        expect(missingTerms(merged, wanted)).toEqual([]);
        const words = merged.split(" ");
        for (const word of records.flatMap((one) => one.split(" ").slice(1)))
          if (!/all$|^redirect=/.test(word)) expect(words).toContain(word);
        expect(words.filter((word) => /all$|^redirect=/.test(word))).toHaveLength(1);
        expect(mergeSpf([merged], wanted)).toBe(merged);
      }),
    );
  });

  it.each([
    [[], "v=spf1 include:a.test ~all"],
    [["v=spf1 -all"], "v=spf1 include:a.test -all"],
    [["V=SPF1 INCLUDE:A.TEST -all"], "v=spf1 INCLUDE:A.TEST -all"],
    [["v=spf1 redirect=b.test"], "v=spf1 include:a.test redirect=b.test"],
    [["v=spf1 exp=why.test mx ?all"], "v=spf1 mx include:a.test ?all exp=why.test"],
  ])("%j", (records, merged) => {
    expect(mergeSpf(records, ["include:a.test"])).toBe(merged);
  });
});

describe("an address", () => {
  it.each([
    ["ip4:192.0.2.0/24", "ip4:192.0.2.7", true],
    ["ip4:192.0.2.7", "ip4:192.0.2.7/32", true],
    ["ip4:192.0.2.0/24", "ip4:192.0.2.0/23", false],
    ["ip4:192.0.2.0/24", "ip4:198.51.100.1", false],
    ["ip6:2001:db8::/32", "ip6:2001:db8::1", true],
    ["-ip4:192.0.2.0/24", "ip4:192.0.2.7", false],
    ["ip4:nonsense", "ip4:192.0.2.7", false],
  ])("%s covers %s: %s", (found, wanted, covers) => {
    expect(missingTerms(`v=spf1 ${found} -all`, [wanted]).length === 0).toBe(covers);
  });
});
