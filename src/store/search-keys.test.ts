import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { domainKeys, foldName, MAX_SEARCH_LENGTH, searchKey, wordKeys } from "./search-keys.ts";

const finds = (keys: readonly string[], text: string) => keys.includes(searchKey(text));

describe("a client", () => {
  it("is found by the beginning of each word, with the following text", () => {
    const keys = wordKeys("Müller & Söhne GmbH");
    for (const text of ["m", "MÜLL", "müller & s", "Söhne", "söhne gmbh", "g", "&"])
      expect([text, finds(keys, text)]).toEqual([text, true]);
    for (const text of ["üller", "sohne", "gmbh x", "müller söhne"])
      expect([text, finds(keys, text)]).toEqual([text, false]);
  });

  it("is the same in every spelling of its name", () => {
    const name = "Café Ｆoo  Bar";
    for (const other of ["CAFÉ FOO BAR", "cafe\u0301 foo bar", "  Café\u00a0Foo\tBar "])
      expect(foldName(other)).toBe(foldName(name));
    expect(foldName("Cafe Foo Bar")).not.toBe(foldName(name));
  });

  it("is normalized idempotently", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (name) => {
        expect(foldName(foldName(name))).toBe(foldName(name));
      }),
    );
  });
});

describe("a domain", () => {
  it("is found by the beginning of each label, in A-labels and in readable form", () => {
    const keys = domainKeys("shop.xn--bcher-kva.example", "shop.bücher.example");
    for (const text of ["shop.b", "BÜCHER", "xn--bcher", "bücher.ex", "example", "e"])
      expect([text, finds(keys, text)]).toEqual([text, true]);
    for (const text of ["hop", "cher", "shop.example"])
      expect([text, finds(keys, text)]).toEqual([text, false]);
  });
});

describe("a search text", () => {
  it("is cut to the length of the keys", () => {
    const long = `${"a".repeat(MAX_SEARCH_LENGTH)}b`;
    expect(finds(wordKeys(long), `${long} that ends otherwise`)).toBe(true);
    expect(searchKey("😀".repeat(40))).toBe("😀".repeat(MAX_SEARCH_LENGTH));
  });

  it("finds every name by each of its beginnings", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
        fc.nat(60),
        (name, length) => {
          const beginning = [...foldName(name)].slice(0, length).join("");
          // A trailing space, or half of a letter, changes when it is normalized.
          fc.pre(beginning !== "" && foldName(beginning) === beginning);
          expect(finds(wordKeys(name), beginning)).toBe(true);
        },
      ),
    );
  });

  it("creates a bounded number of keys for the longest names", () => {
    const labels = Array.from({ length: 126 }, () => "a").join(".");
    expect(domainKeys(labels, labels).length).toBeLessThanOrEqual(2 * 126 * MAX_SEARCH_LENGTH);
    const words = Array.from({ length: 100 }, (_, n) => String.fromCharCode(97 + (n % 26))).join(" ");
    expect(wordKeys(words).length).toBeLessThanOrEqual(100 * MAX_SEARCH_LENGTH);
    for (const key of wordKeys(words)) expect([...key].length).toBeLessThanOrEqual(MAX_SEARCH_LENGTH);
  });
});
