import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTrackingTokens, MAX_TARGET_LENGTH, type TrackedHit, trackingKeyOf } from "./token.ts";

const tokens = createTrackingTokens(Buffer.alloc(32, 1));
const messageId = "msg_01k9z4c3r8h2v6y0n5t7w1x3q9";
const click: TrackedHit = { kind: "clicked", messageId, target: "https://example.com/a?b=c#d" };
const open: TrackedHit = { kind: "opened", messageId };

describe("tracking tokens", () => {
  it("decode to their hit, and are equal for equal hits", () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (url) => {
        const hit: TrackedHit = { kind: "clicked", messageId, target: new URL(url).href };
        const token = tokens.encode(hit);
        expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(tokens.decode(token)).toEqual(hit);
        expect(tokens.encode(hit)).toBe(token);
      }),
    );
    expect(tokens.decode(tokens.encode(open))).toEqual(open);
  });

  it("support the longest tracked target", () => {
    const target = `https://example.com/${"a".repeat(MAX_TARGET_LENGTH - 20)}`;
    expect(target).toHaveLength(MAX_TARGET_LENGTH);
    const token = tokens.encode({ kind: "clicked", messageId, target });
    expect(token.length).toBeLessThan(2_900);
    expect(tokens.decode(token)).toEqual({ kind: "clicked", messageId, target });
  });

  it("never decode when a character is altered, removed or added", () => {
    const character = fc.oneof(fc.constantFrom(..."ABCabc019-_=+/%. "), fc.string({ unit: "binary" }));
    fc.assert(
      fc.property(fc.nat(200), fc.nat(1), character, (at, removed, inserted) => {
        const token = tokens.encode(click);
        const altered = token.slice(0, at) + inserted + token.slice(at + removed);
        fc.pre(altered !== token);
        expect(tokens.decode(altered)).toBeUndefined();
      }),
    );
  });

  it("never decode when forged, nor under another key", () => {
    fc.assert(fc.property(fc.base64String(), (made) => tokens.decode(made) === undefined));
    expect(createTrackingTokens(Buffer.alloc(32, 2)).decode(tokens.encode(click))).toBeUndefined();
    expect(tokens.decode("A".repeat(100_000))).toBeUndefined();
    expect(tokens.decode("")).toBeUndefined();
  });

  it("refuse line breaks, empty fields and a short key", () => {
    expect(() => tokens.encode({ ...click, target: "https://a.example/\nb" })).toThrow(RangeError);
    expect(() => tokens.encode({ kind: "opened", messageId: "" })).toThrow(RangeError);
    expect(() => createTrackingTokens(Buffer.alloc(31))).toThrow(RangeError);
  });

  it("have a separate key, regardless of other uses of the secret", () => {
    const secret = Buffer.alloc(32, 7);
    expect(trackingKeyOf(secret)).toHaveLength(32);
    expect(trackingKeyOf(secret).equals(secret)).toBe(false);
  });
});
