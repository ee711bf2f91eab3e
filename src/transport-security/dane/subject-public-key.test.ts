import { createPublicKey, X509Certificate } from "node:crypto";
import { rootCertificates } from "node:tls";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { subjectPublicKeyInfo } from "./subject-public-key.ts";

const certificates = rootCertificates.map((pem) => new X509Certificate(pem));

describe("the subject public key", () => {
  it("is found in every certificate that Node.js trusts", () => {
    expect(certificates.length).toBeGreaterThan(50);
    for (const { raw, publicKey } of certificates) {
      const key = createPublicKey({ key: subjectPublicKeyInfo(raw), format: "der", type: "spki" });
      expect(key.equals(publicKey)).toBe(true);
    }
  });

  it("is searched only within the certificate, and no length field makes the search long", () => {
    const [{ raw } = { raw: Buffer.alloc(0) }] = certificates;
    for (let length = 0; length < raw.length; length++) {
      expect(() => subjectPublicKeyInfo(raw.subarray(0, length))).toThrow();
    }
    fc.assert(
      fc.property(fc.nat(raw.length - 1), fc.nat(255), (position, octet) => {
        const changed = Buffer.from(raw);
        changed[position] = octet;
        try {
          expect(subjectPublicKeyInfo(changed).length).toBeLessThan(raw.length);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
    );
  });

  it.each([
    ["nothing", ""],
    ["an indefinite length", "3080308002010000"],
    ["a length of too many octets", "3085010000000030030201"],
    ["another tag", "0403020100"],
  ])("is not found in %s", (_, hex) => {
    expect(() => subjectPublicKeyInfo(Buffer.from(hex, "hex"))).toThrow();
  });
});
