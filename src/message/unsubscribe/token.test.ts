import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createUnsubscribeTokens, type Subscription } from "./token.ts";

const tokens = createUnsubscribeTokens(Buffer.alloc(32, 1));
const text = fc.string({ minLength: 1, unit: "grapheme" }).filter((value) => !value.includes("\n"));
const subscription: fc.Arbitrary<Subscription> = fc.record({
  accountId: text,
  policy: text,
  recipient: text,
  messageId: text,
});
const ada: Subscription = {
  accountId: "acc_01k9z4c3r8h2v6y0n5t7w1x3q9",
  policy: "newsletter",
  recipient: "ada@example.org",
  messageId: "msg_01k9z4c3r8h2v6y0n5t7w1x3q9",
};

describe("unsubscribe tokens", () => {
  it("decode to their subscription, and are equal for equal subscriptions", () => {
    fc.assert(
      fc.property(subscription, (given) => {
        const token = tokens.encode(given);
        expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(tokens.decode(token)).toEqual(given);
        expect(tokens.encode(given)).toBe(token);
      }),
    );
  });

  it("fit a header line beside their URL, for the longest address and policy", () => {
    const longest = { ...ada, recipient: "a".repeat(254), policy: "p".repeat(100) };
    const token = tokens.encode(longest);
    expect(token.length).toBeLessThan(700);
    expect(tokens.decode(token)).toEqual(longest);
  });

  it("reveal nothing of their content", () => {
    const token = tokens.encode(ada);
    const octets = Buffer.from(token, "base64url").toString("latin1");
    for (const part of ["ada", "example", "newsletter", "acc_", "msg_"]) {
      expect(token + octets).not.toContain(part);
    }
    const [here, there] = [ada, { ...ada, recipient: "adb@example.org" }].map((one) => tokens.encode(one));
    expect(here?.slice(0, 16)).not.toBe(there?.slice(0, 16));
  });

  it("never decode when a character is altered, removed or added", () => {
    const character = fc.oneof(fc.constantFrom(..."ABCabc019-_=+/%. "), fc.string({ unit: "binary" }));
    fc.assert(
      fc.property(fc.nat(300), fc.nat(1), character, (at, removed, inserted) => {
        const token = tokens.encode(ada);
        const altered = token.slice(0, at) + inserted + token.slice(at + removed);
        fc.pre(altered !== token);
        expect(tokens.decode(altered)).toBeUndefined();
      }),
    );
  });

  it("never decode when forged, nor under another secret", () => {
    fc.assert(fc.property(fc.base64String(), (made) => tokens.decode(made) === undefined));
    expect(createUnsubscribeTokens(Buffer.alloc(32, 2)).decode(tokens.encode(ada))).toBeUndefined();
    expect(tokens.decode("A".repeat(100_000))).toBeUndefined();
  });

  it("refuse line breaks and a short secret", () => {
    expect(() => tokens.encode({ ...ada, policy: "a\nb" })).toThrow(RangeError);
    expect(() => createUnsubscribeTokens(Buffer.alloc(31))).toThrow(RangeError);
  });
});
