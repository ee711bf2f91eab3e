import { hash, randomBytes, timingSafeEqual } from "node:crypto";

/** `ping` is the token of a heartbeat, all others are keys. */
export type SecretKind = "live" | "dlv" | "smtp" | "ping";

/**
 * Letters and digits: a secret is one word in a shell and in an editor, needs no escaping in a URL, and is never
 * taken for an option.
 */
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/** Largest multiple of the alphabet's length in a byte. Bytes from this value on are drawn again. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);
/** Number of characters with as much randomness as the bytes. */
const lengthFor = (bytes: number) => Math.ceil((bytes * 8) / Math.log2(ALPHABET.length));

/** 43 characters with 256 random bits, then a checksum of 6. Older keys are base64url, with `-` and `_`. */
const SHAPE = /^hm_(live|dlv|smtp|ping)_([A-Za-z0-9_-]{43})([0-9a-f]{6})$/;

/** A random word of letters and digits with as much randomness as the bytes. */
export function randomWord(bytes: number): string {
  const length = lengthFor(bytes);
  let word = "";
  while (word.length < length) {
    for (const byte of randomBytes(length - word.length)) {
      if (byte < FAIR_BYTES) word += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return word;
}

function checksum(body: string): string {
  return hash("sha256", body, "hex").slice(0, 6);
}

/** `hm_<kind>_` + 256 random bits + checksum. */
export function newSecret(kind: SecretKind): string {
  const body = `hm_${kind}_${randomWord(32)}`;
  return body + checksum(body);
}

/** Kind of a well-formed key; undefined: mistyped or not a key. */
export function secretKind(secret: string): SecretKind | undefined {
  const match = SHAPE.exec(secret);
  if (!match?.[1] || checksum(secret.slice(0, -6)) !== match[3]) return undefined;
  return match[1] as SecretKind;
}

/** Replaces keys in a text by the prefix that lists of keys show. */
export function withoutSecrets(text: string): string {
  return text.replace(/(hm_(?:live|dlv|smtp|ping)_[\w-]{0,8})[\w-]*/g, "$1…");
}

/** Password of a sending key: 192 random bits. */
export function newPassword(): string {
  return randomWord(24);
}

/** Token of a dashboard session: 256 random bits. */
export function newSessionToken(): string {
  return randomWord(32);
}

/** Token of a link in a mail: 256 random bits. */
export function newLinkToken(): string {
  return randomWord(32);
}

/** Longer texts are not tokens. */
const MAX_LINK_TOKEN_LENGTH = 200;

/** Stored hash of a link token; undefined: the text is not a token. */
export function hashOfLinkToken(token: string): string | undefined {
  return token === "" || token.length > MAX_LINK_TOKEN_LENGTH ? undefined : hashSecret(token);
}

/** Stored hash of a secret. A fast hash is sufficient for 256 random bits. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "base64url");
}

/** Part of a key that is stored unencrypted and shown in lists. */
export function secretPrefix(secret: string): string {
  return secret.slice(0, secret.indexOf("_", 3) + 9);
}

/** Compares in a time that reveals only the length. */
export function equalInConstantTime(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
