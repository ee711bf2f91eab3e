import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";

/** Encodes texts as a token for an address, and decodes it. */
export interface SealedFields {
  /** URL-safe; the same fields give the same token. */
  encode(fields: readonly string[]): string;
  /** undefined for a token that was not created with this secret. */
  decode(token: string): readonly string[] | undefined;
}

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Far above the longest possible token: an address has 254 octets, a policy's name 100. */
const MAX_TOKEN_LENGTH = 1_000;
const TOKEN = /^[A-Za-z0-9_-]+$/;
/** No field contains one: addresses have no control characters. */
const SEPARATOR = "\n";

/**
 * Tokens that contain their fields, encrypted and authenticated: they reveal nothing, and are valid as long as the secret.
 *
 * The IV is a MAC of the encrypted content, so that it differs whenever the content does (as in SIV, RFC 5297): a repeated
 * attempt writes the same link, and no random source can repeat an IV.
 * @param purpose selects separate keys, derived from the secret
 */
export function createSealedFields(secret: Buffer, purpose: string): SealedFields {
  if (secret.length < 32) throw new RangeError(`A secret for ${purpose} tokens has 32 octets or more.`);
  const cipherKey = derived(secret, `hermod ${purpose} cipher`);
  const ivKey = derived(secret, `hermod ${purpose} iv`);

  return {
    encode(fields) {
      if (fields.some((field) => field.includes(SEPARATOR))) {
        throw new RangeError(`A token of ${purpose} is made of fields without line breaks.`);
      }
      const plain = Buffer.from(fields.join(SEPARATOR));
      const iv = createHmac("sha256", ivKey).update(plain).digest().subarray(0, IV_BYTES);
      const cipher = createCipheriv(CIPHER, cipherKey, iv);
      const encrypted = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([iv, encrypted, cipher.getAuthTag()]).toString("base64url");
    },

    decode(token) {
      if (token.length > MAX_TOKEN_LENGTH || !TOKEN.test(token)) return undefined;
      const bytes = Buffer.from(token, "base64url");
      // Other spellings of the same octets, with spare bits set, are refused.
      if (bytes.length <= IV_BYTES + TAG_BYTES || bytes.toString("base64url") !== token) return undefined;
      return decrypted(cipherKey, bytes)?.split(SEPARATOR);
    },
  };
}

/** A separate key for each purpose. */
function derived(secret: Buffer, purpose: string): Buffer {
  return createHmac("sha256", secret).update(purpose).digest();
}

function decrypted(key: Buffer, bytes: Buffer): string | undefined {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const plain = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([plain, decipher.final()]).toString();
  } catch {
    return undefined;
  }
}
