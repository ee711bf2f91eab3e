import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAddress } from "../address/addresses.ts";
import { createReturnPaths } from "./return-path.ts";

const DOMAIN = "bounce.example.com";
const returnPaths = createReturnPaths({ domain: DOMAIN, secret: "first secret" });
const messageId = fc.stringMatching(/^msg_[0-9a-hjkmnp-tv-z]{26}$/);
const ID = "msg_01k9z4c3r8h2v6y0n5t7w1x3q9";

describe("return paths", () => {
  it("are addresses in lower case that decode to their message, in any case", () => {
    fc.assert(
      fc.property(messageId, (id) => {
        const address = returnPaths.encode(id);
        expect(address).toBe(address.toLowerCase());
        expect(address.indexOf("@")).toBeLessThanOrEqual(64);
        expect(parseAddress(address)).toEqual({ ok: true, address });
        expect(returnPaths.decode(address)).toBe(id);
        expect(returnPaths.decode(address.toUpperCase())).toBe(id);
      }),
    );
  });

  it("never decode when a character is altered, removed or added", () => {
    const character = fc.oneof(
      fc.constantFrom(..."0123456789abcdefz+-@. \u212a"),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(messageId, fc.nat(90), fc.nat(1), character, (id, at, removed, text) => {
        const address = returnPaths.encode(id);
        const altered = address.slice(0, at) + text + address.slice(at + removed);
        fc.pre(altered.toLowerCase() !== address);
        expect(returnPaths.decode(altered)).toBeUndefined();
      }),
    );
  });

  it("never decode when forged", () => {
    const hex = fc.stringMatching(/^[0-9a-f]{32}$/);
    fc.assert(
      fc.property(messageId, hex, (id, mac) => {
        expect(returnPaths.decode(`b+${id.slice(4)}-${mac}@${DOMAIN}`)).toBeUndefined();
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => returnPaths.decode(`${text}@${DOMAIN}`) === undefined));
  });

  it("never decode with the MAC of another message, on another domain, nor under another secret", () => {
    fc.assert(
      fc.property(messageId, messageId, (id, other) => {
        fc.pre(id !== other);
        const [address, otherAddress] = [returnPaths.encode(id), returnPaths.encode(other)];
        expect(returnPaths.decode(address.slice(0, 29) + otherAddress.slice(29))).toBeUndefined();
      }),
    );
    const address = returnPaths.encode(ID);
    expect(returnPaths.decode(address.replace("bounce.", "bounces."))).toBeUndefined();
    expect(createReturnPaths({ domain: DOMAIN, secret: "second" }).decode(address)).toBeUndefined();
    expect(returnPaths.decode(address.replaceAll("k", "\u212a"))).toBeUndefined();
  });

  it("may be under any alias of their domain, and under no other name", () => {
    const alias = returnPaths.encode(ID, "hm-bounce.example.org");
    expect(alias).toMatch(/@hm-bounce\.example\.org$/);
    expect(returnPaths.decode(alias)).toBe(ID);
    expect(returnPaths.decode(alias.toUpperCase())).toBe(ID);
    for (const domain of [
      "example.org",
      "hm-bounce",
      "hm-bounce.org",
      "x.hm-bounce.example.org",
      "hm-bounce..org",
    ])
      expect(returnPaths.decode(alias.replace("hm-bounce.example.org", domain))).toBeUndefined();
    expect(returnPaths.decode(alias.replace(/-[0-9a-f]/, "-z"))).toBeUndefined();
  });

  it("decode with a former secret while it is listed", () => {
    const rotated = createReturnPaths({
      domain: DOMAIN.toUpperCase(),
      secret: Buffer.from("second secret"),
      olderSecrets: ["zeroth secret", Buffer.from("first secret")],
    });
    expect(rotated.decode(returnPaths.encode(ID))).toBe(ID);
    expect(rotated.encode(ID)).not.toBe(returnPaths.encode(ID));
    expect(returnPaths.decode(rotated.encode(ID))).toBeUndefined();
  });

  it("are refused for other ids and without a secret", () => {
    for (const id of ["", "msg_", ID.toUpperCase(), `${ID}0`, ID.replace("msg", "acc"), `${ID}\n`]) {
      expect(() => returnPaths.encode(id)).toThrow(RangeError);
    }
    expect(() => createReturnPaths({ domain: DOMAIN, secret: "" })).toThrow(RangeError);
    expect(() => createReturnPaths({ domain: DOMAIN, secret: "a", olderSecrets: [""] })).toThrow(RangeError);
  });
});
