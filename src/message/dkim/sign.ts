import { createHash, sign as cryptoSign, type KeyObject } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { relaxedBody, relaxedHeader } from "./canonicalise.ts";
import { splitSource } from "./header-block.ts";
import { algorithmOf, type DkimAlgorithm } from "./keys.ts";
import { keyRecordName } from "./names.ts";
import { signedField, unsignedField } from "./signature-field.ts";
import { chooseSignedHeaders } from "./signed-headers.ts";

export interface DkimSigner {
  readonly selector: string;
  readonly algorithm: DkimAlgorithm;
  readonly privateKey: KeyObject;
}

export interface SignDkimInput {
  /** The whole message as sent, with every line end CRLF, before dot-stuffing. */
  readonly source: Buffer;
  /** For `d=`, in A-labels. */
  readonly domain: string;
  /** A signature is created for each, in this order. */
  readonly signers: readonly DkimSigner[];
  /**
   * Names to sign if present, instead of the default ones. From, To, Subject, Date, Reply-To and all of MIME are always signed;
   * Received, Return-Path and other trace fields never.
   */
  readonly signedHeaders?: readonly string[];
  readonly now: Date;
  /** Lifetime of the signatures from `now`; missing: forever. */
  readonly expiresInSeconds?: number;
}

/** Octets of a body hashed in one turn of the event loop: some milliseconds. */
const OCTETS_PER_SLICE = 1_048_576;

const signAsync = promisify(cryptoSign);

/**
 * Creates the DKIM-Signature fields (RFC 6376, RFC 8463; relaxed/relaxed), each with its CRLF, for the top of the source. The
 * same input gives the same octets. The keys are used off the main thread. Rejects with TypeError: a source with a bare CR or
 * LF, a header line that is not a field, or no From; a selector or domain that is not a name; a key that does not fit its
 * algorithm; an invalid time.
 */
export async function signDkim(input: SignDkimInput): Promise<Buffer> {
  const { source, domain, signers, signedHeaders, now, expiresInSeconds } = input;
  for (const signer of signers) checkSigner(signer, domain);
  const times = readTimes(now, expiresInSeconds);
  const { fields, body } = splitSource(source);
  const chosen = chooseSignedHeaders(fields, signedHeaders);
  const bodyHash = await hashBody(body);
  const header = chosen.fields.map(({ bytes }) => `${relaxedHeader(bytes).toString("latin1")}\r\n`).join("");
  const signed = await Promise.all(
    signers.map(async ({ selector, algorithm, privateKey }) => {
      const tags = { algorithm, domain, selector, ...times, names: chosen.names, bodyHash };
      const unsigned = unsignedField(tags);
      const own = relaxedHeader(Buffer.from(unsigned)).toString("latin1");
      const data = Buffer.from(header + own, "latin1");
      return signedField(unsigned, await signData(algorithm, data, privateKey));
    }),
  );
  return Buffer.from(signed.join(""));
}

function signData(algorithm: DkimAlgorithm, data: Buffer, key: KeyObject): Promise<Buffer> {
  if (algorithm === "rsa-sha256") return signAsync("sha256", data, key);
  // RFC 8463 section 3: Ed25519 signs the hash as if it were the message, and hashes it again internally.
  return signAsync(null, createHash("sha256").update(data).digest(), key);
}

async function hashBody(body: Buffer): Promise<string> {
  const hash = createHash("sha256");
  let octets = 0;
  for (const piece of relaxedBody(body)) {
    hash.update(piece);
    octets += piece.length;
    if (octets < OCTETS_PER_SLICE) continue;
    octets = 0;
    await nextTurn();
  }
  return hash.digest("base64");
}

function checkSigner({ selector, algorithm, privateKey }: DkimSigner, domain: string): void {
  keyRecordName(selector, domain);
  if (privateKey.type !== "private" || algorithmOf(privateKey) !== algorithm) {
    throw new TypeError(`The DKIM key of the selector ${selector} is not a private key for ${algorithm}.`);
  }
}

function readTimes(now: Date, expiresInSeconds: number | undefined) {
  const signedAtSeconds = Math.floor(now.getTime() / 1000);
  if (!(signedAtSeconds >= 0)) throw new TypeError("The time of a DKIM signature must be a date after 1970.");
  if (expiresInSeconds === undefined) return { signedAtSeconds };
  if (!Number.isSafeInteger(expiresInSeconds) || expiresInSeconds <= 0) {
    throw new TypeError("A DKIM signature expires after a whole number of seconds.");
  }
  return { signedAtSeconds, expiresAtSeconds: signedAtSeconds + expiresInSeconds };
}
