import { randomBytes } from "node:crypto";
import { hashSecret } from "../../shared/secrets.ts";

const CODES = 10;
/** 16 characters of 5 bits: too many to guess from the hashes. */
const LENGTH = 16;
const GROUP = /.{4}(?=.)/g;
/** Crockford's base 32, without characters that resemble each other. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * Codes for a user who has lost every other second factor, in the form `ab12-cd34-ef56-gh78`: 80 random bits each.
 */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: CODES }, () => {
    const characters = [...randomBytes(LENGTH)].map((byte) => ALPHABET.charAt(byte & 31));
    return characters.join("").replace(GROUP, "$&-");
  });
}

/** Stored hash of a code in any written form; undefined: the text is not a code. */
export function hashOfRecoveryCode(typed: string): string | undefined {
  if (typed.length > 100) return undefined;
  const code = typed.toLowerCase().replace(/[\s-]/g, "").replace(/o/g, "0").replace(/[il]/g, "1");
  return /^[0-9a-z]{16}$/.test(code) ? hashSecret(code) : undefined;
}
