import { createPublicKey, verify } from "node:crypto";
import { expect, it } from "vitest";
import { algorithmOf, newWebhookSecret, signaturesOf, verifierOf } from "./webhook-signature.ts";

/** RFC 8032 section 7.1, test 1. */
const SEED = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
const PUBLIC_KEY = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

const parts = { id: "msg_1.1.delivered", seconds: 1_700_000_000, body: '{"a":"ü"}' };

/** As a receiver does who has the public key. */
function isTaken(signature: string, publicKey: string, { id, seconds, body } = parts): boolean {
  const x = Buffer.from(publicKey.replace("whpk_", ""), "base64").toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  const octets = Buffer.from(signature.replace("v1a,", ""), "base64");
  return verify(null, Buffer.from(`${id}.${seconds}.${body}`), key, octets);
}

it("a private key has the public key of RFC 8032, and verifies nothing itself", () => {
  const secret = `whsk_${Buffer.from(SEED, "hex").toString("base64")}`;
  expect(verifierOf(secret)).toBe(`whpk_${Buffer.from(PUBLIC_KEY, "hex").toString("base64")}`);
  expect(algorithmOf(secret)).toBe("ed25519");
});

it("requests of an endpoint with a key pair are signed so that the public key alone verifies them", () => {
  const [secret, other] = [newWebhookSecret("ed25519"), newWebhookSecret("ed25519")];
  const [first = "", second = "", ...rest] = signaturesOf(parts, [secret, other]).split(" ");
  expect(rest).toEqual([]);
  expect(first).toMatch(/^v1a,[A-Za-z0-9+/]{86}==$/);
  expect(isTaken(first, verifierOf(secret))).toBe(true);
  expect(isTaken(second, verifierOf(other))).toBe(true);
  expect(isTaken(first, verifierOf(other))).toBe(false);
  expect(isTaken(first, verifierOf(secret), { ...parts, body: `${parts.body} ` })).toBe(false);
});

it("a shared secret is its own verifier", () => {
  const secret = newWebhookSecret();
  expect([algorithmOf(secret), verifierOf(secret)]).toEqual(["hmac-sha256", secret]);
  expect(signaturesOf(parts, [secret])).toMatch(/^v1,/);
});
