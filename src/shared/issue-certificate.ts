import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import ipaddr from "ipaddr.js";

/** A certificate with its key. It can issue others. */
export interface IssuedCertificate {
  readonly der: Buffer;
  readonly pem: string;
  readonly key: KeyObject;
  readonly keyPem: string;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  readonly subject: string;
}

export interface CertificateOptions {
  /** Common name. */
  readonly subject: string;
  /** Undefined: self-signed. */
  readonly issuer?: IssuedCertificate;
  /** Alternative DNS names. Without names and addresses there is no such extension. */
  readonly names?: readonly string[];
  /** Alternative IP addresses. */
  readonly addresses?: readonly string[];
  readonly authority?: boolean;
  /** Extended key usage, as an OID; undefined: no such extension. */
  readonly purpose?: string;
  /** Other extensions, each with its OID and its value in DER. */
  readonly extensions?: readonly { readonly id: string; readonly value: Buffer }[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  /** Undefined: a new key pair. */
  readonly keyPair?: { readonly privateKey: KeyObject; readonly publicKey: KeyObject };
}

const DAY_MS = 86_400_000;
const ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";

/**
 * Issues an X.509 certificate (RFC 5280) without another program: Node.js reads certificates but creates none. It also
 * issues invalid certificates, for tests.
 */
export function issueCertificate(options: CertificateOptions): IssuedCertificate {
  const { subject, issuer, names = [], addresses = [], authority = false, purpose } = options;
  const { notBefore = new Date(Date.now() - DAY_MS), notAfter = new Date(Date.now() + DAY_MS) } = options;
  const { privateKey, publicKey } = options.keyPair ?? generateKeyPairSync("ec", { namedCurve: "P-256" });
  const spki = publicKey.export({ type: "spki", format: "der" });
  const alternatives = [...names.map(dnsName), ...addresses.map(ipAddress)];
  const extensions = [
    ...(authority ? [extension("2.5.29.19", sequence(element(0x01, Buffer.from([0xff]))))] : []),
    ...(alternatives.length > 0 ? [extension("2.5.29.17", sequence(...alternatives))] : []),
    ...(purpose ? [extension("2.5.29.37", sequence(oid(purpose)))] : []),
    ...(options.extensions ?? []).map(({ id, value }) => extension(id, value)),
  ];
  const algorithm = sequence(oid(ECDSA_WITH_SHA256));
  const toBeSigned = sequence(
    element(0xa0, integer(2)),
    element(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    commonName(issuer?.subject ?? subject),
    sequence(time(notBefore), time(notAfter)),
    commonName(subject),
    spki,
    ...(extensions.length > 0 ? [element(0xa3, sequence(...extensions))] : []),
  );
  const signature = sign("sha256", toBeSigned, issuer?.key ?? privateKey);
  const der = sequence(toBeSigned, algorithm, element(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const pem = `-----BEGIN CERTIFICATE-----\n${der.toString("base64").replace(/.{1,64}/g, "$&\n")}-----END CERTIFICATE-----\n`;
  const keyPem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { der, pem, key: privateKey, keyPem, publicKey: spki, subject };
}

/** One element of DER (X.690), of at most 64 KB. */
export function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  // DER allows only the shortest length, and strict readers check it.
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  if (length < 0x100) return Buffer.concat([Buffer.from([tag, 0x81, length]), content]);
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), content]);
}

export function sequence(...parts: Buffer[]): Buffer {
  return element(0x30, Buffer.concat(parts));
}

function integer(value: number): Buffer {
  return element(0x02, Buffer.from([value]));
}

export function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  const octets = [first * 40 + second];
  for (const arc of rest) {
    const digits = [arc & 0x7f];
    for (let left = arc >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    octets.push(...digits);
  }
  return element(0x06, Buffer.from(octets));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), element(0x04, value));
}

function dnsName(name: string): Buffer {
  return element(0x82, Buffer.from(name));
}

function ipAddress(address: string): Buffer {
  return element(0x87, Buffer.from(ipaddr.parse(address).toByteArray()));
}

function commonName(name: string): Buffer {
  return sequence(element(0x31, sequence(oid("2.5.4.3"), element(0x0c, Buffer.from(name)))));
}

/** UTCTime up to 2049 and GeneralizedTime later (RFC 5280 section 4.1.2.5). */
function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/\D/g, "").slice(0, 14);
  const short = date.getUTCFullYear() >= 1950 && date.getUTCFullYear() < 2050;
  return element(short ? 0x17 : 0x18, Buffer.from(`${short ? digits.slice(2) : digits}Z`));
}
