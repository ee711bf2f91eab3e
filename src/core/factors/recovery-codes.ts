import { randomBytes } from "node:crypto";
import { hashSecret } from "../../shared/secrets.ts";

const CODES = 10;
/** 16 characters of 5 bits: too many for whoever has the hashes. */
const LENGTH = 16;
const GROUP = /.{4}(?=.)/g;
/** Crockford's base 32, in which nothing looks like something else. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** Codes for when every other second factor is lost, as `ab12-cd34-ef56-gh78`: 80 random bits each. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: CODES }, () => {
    const characters = [...randomBytes(LENGTH)].map((byte) => ALPHABET.charAt(byte & 31));
    return characters.join("").replace(GROUP, "$&-");
  });
}

/** What is stored of a code, however it was typed; undefined: it is none. */
export function hashOfRecoveryCode(typed: string): string | undefined {
  if (typed.length > 100) return undefined;
  const code = typed.toLowerCase().replace(/[\s-]/g, "").replace(/o/g, "0").replace(/[il]/g, "1");
  return /^[0-9a-z]{16}$/.test(code) ? hashSecret(code) : undefined;
}
