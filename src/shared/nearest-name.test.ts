import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearestName } from "./nearest-name.ts";

describe("nearestName", () => {
  it.each([
    ["HERMOD_HTPP_PORT", "HERMOD_HTTP_PORT"],
    ["HERMOD_HTTP_PROT", "HERMOD_HTTP_PORT"],
    ["HERMOD_SMTPPORT", "HERMOD_SMTP_PORT"],
    ["HERMOD_HTTP_PORTS", "HERMOD_HTTP_PORT"],
  ])("%s is nearest to %s", (name, expected) => {
    expect(nearestName(name, ["HERMOD_HTTP_HOST", "HERMOD_SMTP_PORT", "HERMOD_HTTP_PORT"])).toBe(expected);
  });

  it.each(["HERMOD_API_KEY", "HERMOD_KEY_RATE", "HERMOD_X", "HERMOD_", "HERMOD_DATABASE_URL"])(
    "%s is like no name",
    (name) => {
      const known = [
        "HERMOD_DATA_DIR",
        "HERMOD_HELO_NAME",
        "HERMOD_OIDC_NAME",
        "HERMOD_HTTP_PORT",
        "HERMOD_SIGN_UP",
      ];
      expect(nearestName(name, known)).toBeUndefined();
    },
  );

  it("never answers a name that shares less than four fifths of the characters", () => {
    const letters = fc.string({ unit: fc.constantFrom(..."ABCDEFGH_"), minLength: 10, maxLength: 30 });
    fc.assert(
      fc.property(letters, letters, (name, known) => {
        const shared = [...name].filter((letter) => known.includes(letter)).length;
        const isFar = Math.abs(name.length - known.length) > name.length / 5 || shared < name.length * 0.8;
        if (isFar) expect(nearestName(name, [known])).toBeUndefined();
      }),
    );
  });

  it("answers undefined where there are no names", () => {
    expect(nearestName("HERMOD_X", [])).toBeUndefined();
  });

  it("finds a name through one inserted, left out, changed or swapped character", () => {
    const known = ["HERMOD_HTTP_PORT", "HERMOD_LOG_LEVEL", "HERMOD_DATA_DIR", "HERMOD_PARTITIONS"];
    const edits = fc.constantFrom("insert", "leave out", "change", "swap");
    const position = fc.nat({ max: 14 });
    fc.assert(
      fc.property(fc.constantFrom(...known), edits, position, (name, edit, at) => {
        const [before, after] = [name.slice(0, at), name.slice(at)];
        const mistyped = {
          insert: `${before}Q${after}`,
          "leave out": before + after.slice(1),
          change: `${before}Q${after.slice(1)}`,
          swap: before + (after[1] ?? "") + (after[0] ?? "") + after.slice(2),
        }[edit];
        expect(nearestName(mistyped, known)).toBe(name);
      }),
    );
  });
});
