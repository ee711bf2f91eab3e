import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareValues, type Piece } from "./compare-values.ts";

const text = (pieces: readonly Piece[]) => pieces.map((piece) => piece.text).join("");
const marked = (pieces: readonly Piece[]) =>
  pieces.filter(({ isMarked }) => isMarked).map((piece) => piece.text);

describe("the difference between an expected and a found value", () => {
  it.each([
    ["v=DKIM1; k=rsa; p=MIIBaaaQAB", "v=DKIM1; k=rsa; p=MIIBbbbQAB", ["aaa"], ["bbb"]],
    [
      "v=spf1 include:_spf.a.example ~all",
      "v=spf1 ip4:192.0.2.1 ~all",
      ["include:_spf.a.example"],
      ["ip4:192.0.2.1"],
    ],
    ["v=DMARC1; p=none", "v=DMARC1; p=reject; pct=50", ["none"], ["reject; pct=50"]],
    ["hermod-verification=abc", "hermod-verification=abd", ["c"], ["d"]],
    ["same", "same", [], []],
    ["abc", "", ["abc"], []],
  ])("of %s and %s is marked on both sides", (wanted, found, left, right) => {
    const compared = compareValues(wanted, found);
    expect([marked(compared.wanted), marked(compared.found)]).toEqual([left, right]);
  });

  it("keeps each value whole, and marks something if and only if they differ", () => {
    const value = fc.oneof(
      fc.string({ unit: fc.constantFrom("a", "b", ";", " ", "=") }),
      fc.array(fc.constantFrom("v=spf1", "a", "mx", "~all")).map((parts) => parts.join(" ")),
      fc.array(fc.constantFrom("v=DKIM1", "k=rsa", "p=AB", "p=AC")).map((parts) => parts.join("; ")),
    );
    fc.assert(
      fc.property(value, value, (wanted, found) => {
        const compared = compareValues(wanted, found);
        expect([text(compared.wanted), text(compared.found)]).toEqual([wanted, found]);
        const isMarked = marked(compared.wanted).length + marked(compared.found).length > 0;
        expect(isMarked).toBe(wanted !== found);
        // Text that is not marked is equal on both sides.
        const rest = (pieces: readonly Piece[]) => text(pieces.filter((piece) => !piece.isMarked));
        expect(rest(compared.wanted)).toBe(rest(compared.found));
      }),
    );
  });
});
