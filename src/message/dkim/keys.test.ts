import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { algorithmOf, dnsRecord, generateDkimKeyPair } from "./keys.ts";

const ED25519 = generateKeyPairSync("ed25519");

describe("a generated key pair", () => {
  it("is RSA of 2,048 bits or Ed25519", async () => {
    const rsa = await generateDkimKeyPair("rsa-sha256");
    expect(rsa.privateKey.asymmetricKeyType).toBe("rsa");
    expect(rsa.publicKey.asymmetricKeyDetails?.modulusLength).toBe(2_048);
    const ed25519 = await generateDkimKeyPair("ed25519-sha256");
    expect(ed25519.privateKey.asymmetricKeyType).toBe("ed25519");
  });
});

describe("the DNS record", () => {
  it("of an RSA key has its SubjectPublicKeyInfo in strings of 255 octets", async () => {
    const { publicKey, privateKey } = await generateDkimKeyPair("rsa-sha256");
    const record = dnsRecord({ selector: "s1", domain: "example.com", key: publicKey });
    expect(record.name).toBe("s1._domainkey.example.com");
    expect(record.type).toBe("TXT");
    const [, p = ""] = /^v=DKIM1; k=rsa; p=([A-Za-z0-9+/]+=*)$/.exec(record.value) ?? [];
    const read = createPublicKey({ key: Buffer.from(p, "base64"), type: "spki", format: "der" });
    expect(read.equals(publicKey)).toBe(true);
    expect(record.chunks.map(({ length }) => length)).toEqual([255, record.value.length - 255]);
    expect(record.chunks.join("")).toBe(record.value);
    expect(dnsRecord({ selector: "s1", domain: "example.com", key: privateKey })).toEqual(record);
  });

  it("of an Ed25519 key has its 32 octets, as in RFC 8463 appendix A.2", () => {
    const x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    const value = "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";
    expect(dnsRecord({ selector: "brisbane", domain: "football.example.com", key })).toEqual({
      name: "brisbane._domainkey.football.example.com",
      type: "TXT",
      value,
      chunks: [value],
    });
  });

  it.each(["", "a b", "s;p=", "-s", "s-", "a..b", ".", "s_1", "é", "a".repeat(64)])(
    "is refused for the selector %j",
    (selector) => {
      const input = { selector, domain: "example.com", key: ED25519.publicKey };
      expect(() => dnsRecord(input)).toThrow(TypeError);
    },
  );

  it.each(["", "bücher.example", "example.com.", "a; b", `${"a".repeat(50)}.`.repeat(5).slice(0, -1)])(
    "is refused for the domain %j",
    (domain) => {
      expect(() => dnsRecord({ selector: "s1", domain, key: ED25519.publicKey })).toThrow(TypeError);
    },
  );
});

it.each([
  ["RSA of 512 bits", generateKeyPairSync("rsa", { modulusLength: 512 }).publicKey],
  ["RSA-PSS", generateKeyPairSync("rsa-pss", { modulusLength: 1_024 }).publicKey],
  ["an elliptic curve of another kind", generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey],
])("is refused for a key of %s", (_kind, key) => {
  expect(() => algorithmOf(key)).toThrow(TypeError);
});
