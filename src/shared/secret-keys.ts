import { createHmac, randomBytes } from "node:crypto";

/** A key that encrypts stored secrets. */
export interface SecretKey {
  /** Eight hexadecimal digits derived from the key, which do not reveal it. Stored next to the encrypted data. */
  readonly id: string;
  /** Key for AES-256. */
  readonly cipherKey: Buffer;
}

const KEY_BYTES = 32;
const HEX = /^[0-9a-f]{64}$/i;
/** Base64 of 32 bytes, also in its URL-safe form. */
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/** Required form of a key, for errors about settings and files. */
export const SECRET_KEY_FORM = "32 random bytes as 64 hexadecimal digits or in base64";

/** A new key: 64 hexadecimal digits. */
export function newSecretKey(): string {
  return randomBytes(KEY_BYTES).toString("hex");
}

/** Undefined: the text is not a key. */
export function parseSecretKey(text: string): SecretKey | undefined {
  const bytes = bytesOf(text);
  if (bytes?.length !== KEY_BYTES) return undefined;
  const derived = (purpose: string) => createHmac("sha256", bytes).update(purpose).digest();
  return {
    id: derived("hermod secret key id").toString("hex").slice(0, 8),
    cipherKey: derived("hermod secret cipher"),
  };
}

function bytesOf(text: string): Buffer | undefined {
  if (HEX.test(text)) return Buffer.from(text, "hex");
  return BASE64.test(text) ? Buffer.from(text, "base64") : undefined;
}
