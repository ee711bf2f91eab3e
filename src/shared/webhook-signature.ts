import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";
import { LRUCache } from "lru-cache";

/** Signature algorithms: with a secret that the receiver also has, or a key pair (the receiver has the public key). */
export const webhookAlgorithms = ["hmac-sha256", "ed25519"] as const;
export type WebhookAlgorithm = (typeof webhookAlgorithms)[number];

/** Prefixes of a secret, a private key and a public key (Standard Webhooks 1.0). */
const [SECRET, PRIVATE, PUBLIC] = ["whsec_", "whsk_", "whpk_"];
/** Size of both: 256 random bits. */
const SECRET_BYTES = 32;
/** Prefix of the seed of an Ed25519 key in PKCS #8 (RFC 8410 section 7). */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");
/** Cached keys: creating one from its seed takes longer than signing. */
const MAX_KEYS = 1_000;

/** Signed parts of a request, which a receiver verifies (Standard Webhooks 1.0). */
export interface SignedParts {
  /** `webhook-id`. */
  readonly id: string;
  /** `webhook-timestamp`: time of this attempt. */
  readonly seconds: number;
  readonly body: string;
}

/** New signing secret of an endpoint: `whsec_` or `whsk_`, and 256 random bits in base64. */
export function newWebhookSecret(algorithm: WebhookAlgorithm = "hmac-sha256"): string {
  const prefix = algorithm === "ed25519" ? PRIVATE : SECRET;
  return prefix + randomBytes(SECRET_BYTES).toString("base64");
}

export function algorithmOf(secret: string): WebhookAlgorithm {
  return secret.startsWith(PRIVATE) ? "ed25519" : "hmac-sha256";
}

/** Value with which a receiver verifies: the secret itself, or the public key, `whpk_…`, of a private one. */
export function verifierOf(secret: string): string {
  if (algorithmOf(secret) === "hmac-sha256") return secret;
  const { x = "" } = createPublicKey(privateKeyOf(secret)).export({ format: "jwk" });
  return PUBLIC + Buffer.from(x, "base64url").toString("base64");
}

/** `webhook-signature`: one signature for each secret, because a receiver may have any of them. */
export function signaturesOf({ id, seconds, body }: SignedParts, secrets: readonly string[]): string {
  const signed = `${id}.${seconds}.${body}`;
  return secrets.map((secret) => signatureOf(signed, secret)).join(" ");
}

function signatureOf(signed: string, secret: string): string {
  if (algorithmOf(secret) === "ed25519")
    return `v1a,${sign(null, Buffer.from(signed), privateKeyOf(secret)).toString("base64")}`;
  const key = Buffer.from(secret.slice(SECRET.length), "base64");
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}

const keys = new LRUCache<string, KeyObject>({ max: MAX_KEYS });

function privateKeyOf(secret: string): KeyObject {
  const known = keys.get(secret);
  if (known) return known;
  const seed = Buffer.from(secret.slice(PRIVATE.length), "base64");
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: "der", type: "pkcs8" });
  keys.set(secret, key);
  return key;
}
