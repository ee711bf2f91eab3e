import { createPublicKey, generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseKey, withoutTesting } from "./parse-key.ts";

const rsa = (modulusLength: number, type: "spki" | "pkcs1" = "spki") =>
  generateKeyPairSync("rsa", { modulusLength }).publicKey.export({ type, format: "der" }).toString("base64");
const ed25519 = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "der" });
const raw = ed25519.subarray(12).toString("base64");
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({
  type: "spki",
  format: "der",
});
const good = rsa(1_024);

describe("a key record", () => {
  it.each([
    ["as Hermod publishes it", `v=DKIM1; k=rsa; p=${good}`, "rsa", 1_024],
    ["of p alone", `p=${good}`, "rsa", 1_024],
    ["in RSAPublicKey", `v=DKIM1; p=${rsa(768, "pkcs1")}`, "rsa", 768],
    ["with white space in the key", `v=DKIM1; p=${good.slice(0, 60)} \t${good.slice(60)}`, "rsa", 1_024],
    ["with other hashes and services beside", `v=DKIM1; h=sha1 : sha256; s=*; p=${good}`, "rsa", 1_024],
    ["with tags that nobody knows", `v=DKIM1; n=note; x=1; p=${good};`, "rsa", 1_024],
    ["of Ed25519", `v=DKIM1; k=ed25519; p=${raw}`, "ed25519", 256],
  ])("%s has a key", (_, text, algorithm, bits) => {
    expect(parseKey(text)).toMatchObject({ kind: "usable", algorithm, bits, isTesting: false });
  });

  it.each([
    ["another version", `v=DKIM2; p=${good}`, `v=DKIM1; p=${good}`],
    ["a version that is not first", `k=rsa; v=DKIM1; p=${good}`, `v=DKIM1; k=rsa; p=${good}`],
    ["SHA-1 alone", `v=DKIM1; h=sha1; p=${good}`, `v=DKIM1; p=${good}`],
    ["another service", `v=DKIM1; s=tlsrpt; p=${good}; constructor=1`, `v=DKIM1; p=${good}; constructor=1`],
    [
      "Ed25519 in SubjectPublicKeyInfo",
      `v=DKIM1; k=ed25519; p=${ed25519.toString("base64")}`,
      `v=DKIM1; k=ed25519; p=${raw}`,
    ],
    ["escaped semicolons", `v=DKIM1\\; k=rsa\\; p=${good}`, `v=DKIM1; k=rsa; p=${good}`],
    ["its type in capitals", `v=DKIM1; k=RSA; p=${good}`, `v=DKIM1; k=rsa; p=${good}`],
    ["several slips", `k=RSA\\; h=sha1; v="DKIM1"; p=${good}`, `v=DKIM1; k=rsa; p=${good}`],
    ["another type of key", `v=DKIM1; k=dsa; p=${good}`, undefined],
    ["a key of another type", `v=DKIM1; k=rsa; p=${raw}`, undefined],
    ["a key of an elliptic curve", `v=DKIM1; p=${ec.toString("base64")}`, undefined],
    ["an Ed25519 key of 31 octets", `k=ed25519; p=${Buffer.alloc(31).toString("base64")}`, undefined],
    ["a key that was cut off", `v=DKIM1; p=${good.slice(0, 100)}`, undefined],
    ["a key that is no base64", `v=DKIM1; p=${good.replace("M", "*")}`, undefined],
    ["a tag twice", `v=DKIM1; p=${good}; p=${good}`, undefined],
    ["no p", "v=DKIM1; k=rsa", undefined],
  ])("with %s is unusable", (_, text, repaired) => {
    const key = parseKey(text);
    expect(key).toMatchObject({ kind: "unusable", ...(repaired !== undefined && { repaired }) });
    if (repaired === undefined) expect(key).not.toHaveProperty("repaired");
    else expect(parseKey(repaired).kind).toBe("usable");
  });

  it.each(["v=DKIM1; p=", "p= ;", "v=DKIM1; k=foo; p="])("%j is a revoked key", (text) => {
    expect(parseKey(text)).toEqual({ kind: "revoked" });
  });

  it.each(["v=spf1 -all", "", "hello", "v=DMARC1; q=1"])("is not %j", (text) => {
    expect(parseKey(text)).toEqual({ kind: "foreign" });
  });

  it("reports testing mode, and is unchanged without the flag", () => {
    for (const t of ["y", "s:y", "y : s"]) {
      const text = `v=DKIM1; t=${t}; p=${good}`;
      expect(parseKey(text)).toMatchObject({ isTesting: true });
      expect(withoutTesting(text)).toBe(`v=DKIM1; ${t === "y" ? "" : "t=s; "}p=${good}`);
    }
    expect(parseKey(`v=DKIM1; t=s; p=${good}`)).toMatchObject({ isTesting: false });
  });

  it("with arbitrary content is read without an exception", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "v=DKIM1;",
        "k=ed25519;",
        "k=rsa;",
        "p=",
        good,
        raw,
        ";",
        "h=sha256;",
        "s=email;",
        "t=y;",
      ),
      fc.base64String({ maxLength: 40 }),
      fc.string({ maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const key = parseKey(pieces.join(""));
        if (key.kind !== "usable") return;
        const [, p = ""] = /p\s*=([^;]*)/.exec(pieces.join("")) ?? [];
        const octets = Buffer.from(p.replace(/\s/g, ""), "base64");
        if (key.algorithm === "rsa")
          expect(createPublicKey({ key: octets, format: "der", type: "spki" }).asymmetricKeyType).toBe("rsa");
        else expect(octets).toHaveLength(32);
      }),
    );
  });
});
