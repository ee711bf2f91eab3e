import { hash, randomBytes, timingSafeEqual } from "node:crypto";

export type SecretKind = "live" | "dlv" | "smtp";

/**
 * Letters and digits: what is made of them is one word to a shell and one to an editor, needs no escaping in a URL, and
 * is never taken for an option.
 */
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/** The largest multiple of the alphabet's length that a byte can count to: what is not below it is drawn again. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);
/** How many characters hold as much chance as so many bytes. */
const lengthFor = (bytes: number) => Math.ceil((bytes * 8) / Math.log2(ALPHABET.length));

/** 43 characters of 256 random bits, then 6 of checksum. Older keys are base64url: they have `-` and `_`, too. */
const SHAPE = /^hm_(live|dlv|smtp)_([A-Za-z0-9_-]{43})([0-9a-f]{6})$/;

/** A random word of letters and digits that is as hard to guess as so many random bytes. */
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

/** The kind that a well-formed key says it is of; undefined when it is mistyped or no key at all. */
export function secretKind(secret: string): SecretKind | undefined {
  const match = SHAPE.exec(secret);
  if (!match?.[1] || checksum(secret.slice(0, -6)) !== match[3]) return undefined;
  return match[1] as SecretKind;
}

/** A text that may name keys, with no more of them than lists of keys show. */
export function withoutSecrets(text: string): string {
  return text.replace(/(hm_(?:live|dlv|smtp)_[\w-]{0,8})[\w-]*/g, "$1…");
}

/** The password of a sending key: 192 random bits. */
export function newPassword(): string {
  return randomWord(24);
}

/** The token of a dashboard session: 256 random bits. */
export function newSessionToken(): string {
  return randomWord(32);
}

/** The token of a link in a mail: 256 random bits. */
export function newLinkToken(): string {
  return randomWord(32);
}

/** Longer ones are nobody's. */
const MAX_LINK_TOKEN_LENGTH = 200;

/** What is stored of the token of a link; undefined: it is none. */
export function hashOfLinkToken(token: string): string | undefined {
  return token === "" || token.length > MAX_LINK_TOKEN_LENGTH ? undefined : hashSecret(token);
}

/** What is stored of a secret: a fast hash is enough for 256 random bits. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "base64url");
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
