import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkRevision, contentRevision } from "./content-revision.ts";

describe("a revision of content", () => {
  it("does not depend on the order of names, at any depth", () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, inner]) => [name, reversed(inner)]),
      );
    };
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (content) => {
        expect(contentRevision(reversed(content) as object)).toBe(contentRevision(content));
      }),
    );
  });

  it("differs for other content", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other) && !isObject(one) && !isObject(other));
        expect(contentRevision({ value: one })).not.toBe(contentRevision({ value: other }));
      }),
    );
    const at = (iso: string) => contentRevision({ until: new Date(iso) });
    expect(at("2030-01-01T00:00:00Z")).not.toBe(at("2030-01-01T00:00:01Z"));
  });

  it("is the same for a missing field and an undefined one, which the store omits", () => {
    expect(contentRevision({ name: "a", notes: undefined })).toBe(contentRevision({ name: "a" }));
  });
});

const isObject = (value: unknown) => typeof value === "object" && value !== null;

describe("a check of a revision", () => {
  it("passes without a revision, and with the current one", () => {
    for (const given of [undefined, "", "a"]) expect(() => checkRevision(given, "a")).not.toThrow();
    expect(() => checkRevision("none", undefined)).not.toThrow();
  });

  it("refuses another revision, and names the current one or `none`", () => {
    for (const [given, present] of [
      ["b", "a"],
      ["none", "a"],
      ["a", "none"],
    ] as const) {
      const check = () => checkRevision(given, present === "none" ? undefined : present);
      expect(check).toThrow(expect.objectContaining({ code: "resource.stale", revision: present }));
    }
  });
});
