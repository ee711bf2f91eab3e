import { createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { keyRecordName } from "./names.ts";

/**
 * - `rsa-sha256`: RSASSA-PKCS1-v1_5 (RFC 6376 section 3.3.1), which every verifier supports.
 * - `ed25519-sha256`: Ed25519 over the SHA-256 of the data (RFC 8463), which some verifiers still ignore.
 */
export type DkimAlgorithm = "rsa-sha256" | "ed25519-sha256";

export interface DkimKeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export interface DkimDnsRecordInput {
  readonly selector: string;
  /** In A-labels. */
  readonly domain: string;
  /** RSA or Ed25519; of a private key only the public half is used. */
  readonly key: KeyObject;
}

export interface DkimDnsRecord {
  /** `<selector>._domainkey.<domain>`, without a dot at its end. */
  readonly name: string;
  readonly type: "TXT";
  /** `v=DKIM1; k=rsa; p=…`, in one piece. */
  readonly value: string;
  /** The value as the character-strings of a TXT record: 255 octets at most, read as if joined. */
  readonly chunks: readonly string[];
}

/** RFC 8301 section 3.2: recommended size; larger keys exceed some verifiers or one UDP answer. */
const RSA_BITS = 2_048;
/** RFC 8301 section 3.2: verifiers must refuse smaller keys. */
const MIN_RSA_BITS = 1_024;
/** RFC 1035 section 3.3. */
const MAX_CHARACTER_STRING = 255;
/** Prefix of the key in an Ed25519 SubjectPublicKeyInfo (RFC 8410 section 4). */
const ED25519_PREFIX_OCTETS = 12;

const generate = promisify(generateKeyPair);

/** A new key pair: RSA of 2,048 bits, or Ed25519. Generated off the main thread. */
export function generateDkimKeyPair(algorithm: DkimAlgorithm): Promise<DkimKeyPair> {
  return algorithm === "rsa-sha256" ? generate("rsa", { modulusLength: RSA_BITS }) : generate("ed25519");
}

/** The record that publishes a key (RFC 6376 section 3.6.1, RFC 8463 section 4). Throws TypeError for a bad name or key. */
export function dnsRecord({ selector, domain, key }: DkimDnsRecordInput): DkimDnsRecord {
  const name = keyRecordName(selector, domain);
  const isRsa = algorithmOf(key) === "rsa-sha256";
  const spki = (key.type === "private" ? createPublicKey(key) : key).export({ type: "spki", format: "der" });
  const octets = isRsa ? spki : spki.subarray(ED25519_PREFIX_OCTETS);
  const value = `v=DKIM1; k=${isRsa ? "rsa" : "ed25519"}; p=${octets.toString("base64")}`;
  return { name, type: "TXT", value, chunks: characterStrings(value) };
}

/** A value of ASCII as the character-strings of a TXT record: 255 octets at most, read as if joined. */
export function characterStrings(value: string): string[] {
  const chunks: string[] = [];
  for (let at = 0; at < value.length; at += MAX_CHARACTER_STRING) {
    chunks.push(value.slice(at, at + MAX_CHARACTER_STRING));
  }
  return chunks;
}

/** The character-strings in master file form (RFC 1035 section 5.1). */
export function quotedStrings(value: string): string {
  return characterStrings(value)
    .map((part) => `"${part.replace(/["\\]/g, "\\$&")}"`)
    .join(" ");
}

/** The only algorithm for a key. Throws TypeError for a key that verifiers would refuse. */
export function algorithmOf(key: KeyObject): DkimAlgorithm {
  if (key.asymmetricKeyType === "ed25519") return "ed25519-sha256";
  if (key.asymmetricKeyType !== "rsa") throw new TypeError("A DKIM key is an RSA or an Ed25519 key.");
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS) return "rsa-sha256";
  throw new TypeError(`A DKIM key of RSA has ${MIN_RSA_BITS} bits or more.`);
}
