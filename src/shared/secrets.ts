import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

export type SecretKind = "live" | "dlv" | "smtp";

/** 32 random bytes as 43 characters of base64url, then 6 characters of checksum. */
const SHAPE = /^hm_(live|dlv|smtp)_([A-Za-z0-9_-]{43})([0-9a-f]{6})$/;

function checksum(body: string): string {
  return createHash("sha256").update(body).digest("hex").slice(0, 6);
}

/** `hm_<kind>_` + 256 random bits + checksum. */
export function newSecret(kind: SecretKind): string {
  const body = `hm_${kind}_${randomBytes(32).toString("base64url")}`;
  return body + checksum(body);
}

/** The kind that a well-formed key says it is of; undefined when it is mistyped or no key at all. */
export function secretKind(secret: string): SecretKind | undefined {
  const match = SHAPE.exec(secret);
  if (!match?.[1] || checksum(secret.slice(0, -6)) !== match[3]) return undefined;
  return match[1] as SecretKind;
}

/** The password of a sending key: 192 random bits. */
export function newPassword(): string {
  return randomBytes(24).toString("base64url");
}

/** What is stored of a secret: a fast hash is enough for 256 random bits. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

/** The part that is stored in clear and shown in lists. */
export function secretPrefix(secret: string): string {
  return secret.slice(0, secret.indexOf("_", 3) + 9);
}

/** Compares in a time that tells nothing but the length. */
export function equalInConstantTime(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
