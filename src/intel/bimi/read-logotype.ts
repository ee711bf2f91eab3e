import { createHash, type X509Certificate } from "node:crypto";
import {
  DER_IA5_STRING,
  DER_OCTETS,
  DER_OID,
  DER_SEQUENCE,
  type DerElement,
  derChildren,
  readDer,
} from "./der.ts";

/** The image of a certificate (RFC 9399, which replaces RFC 3709). */
export interface Logotype {
  /** The image embedded in the certificate, as BIMI requires, possibly compressed. */
  readonly embedded: Buffer | undefined;
  /** Whether a digest of the certificate matches these octets. */
  hasDigestOf(octets: Buffer): boolean;
}

/** id-pe-logotype, 1.3.6.1.5.5.7.1.12, as DER has it. */
const LOGOTYPE = Buffer.from("2b0601050507010c", "hex");
/** Digests by their DER-encoded OIDs. */
const DIGESTS: Readonly<Record<string, string>> = {
  "2b0e03021a": "sha1",
  "608648016503040201": "sha256",
  "608648016503040202": "sha384",
  "608648016503040203": "sha512",
};
// Tags of RFC 9399 appendix A, and of RFC 5280 section 4.1.
const EXTENSIONS = 0xa3;
const SUBJECT_LOGO = 0xa2;
const DIRECT = 0xa0;
const DATA_URL = /^data:image\/svg\+xml(?:;[a-z-]+=[\w-]+)*;base64,/i;

/** The first image of the subject; undefined: the certificate has none, or it cannot be read. */
export function readLogotype({ raw }: X509Certificate): Logotype | undefined {
  try {
    const extension = logotypeExtension(raw);
    if (!extension) return undefined;
    const info = derChildren(derChildren(readDer(extension), DER_SEQUENCE), SUBJECT_LOGO);
    const images = derChildren(derChildren(info, DIRECT), DER_SEQUENCE);
    const details = derChildren(derChildren(images, DER_SEQUENCE), DER_SEQUENCE);
    const [hashes, uris] = details.filter(({ tag }) => tag === DER_SEQUENCE);
    if (!hashes || !uris) return undefined;
    const digests = readDer(hashes.content).flatMap(digestOf);
    const urls = readDer(uris.content).filter(({ tag }) => tag === DER_IA5_STRING);
    const url = urls.map(({ content }) => content.toString("latin1")).find((text) => DATA_URL.test(text));
    return {
      embedded: url === undefined ? undefined : Buffer.from(url.replace(DATA_URL, ""), "base64"),
      hasDigestOf: (octets) =>
        digests.some(({ name, value }) => createHash(name).update(octets).digest().equals(value)),
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function logotypeExtension(certificate: Buffer): Buffer | undefined {
  const toBeSigned = derChildren(derChildren(readDer(certificate), DER_SEQUENCE), DER_SEQUENCE);
  const extensions = derChildren(derChildren(toBeSigned, EXTENSIONS), DER_SEQUENCE);
  const parts = extensions.map(({ content }) => readDer(content));
  const found = parts.find((one) =>
    one.some(({ tag, content }) => tag === DER_OID && content.equals(LOGOTYPE)),
  );
  return found?.find(({ tag }) => tag === DER_OCTETS)?.content;
}

function digestOf({ content }: DerElement): { readonly name: string; readonly value: Buffer }[] {
  const parts = readDer(content);
  const [algorithm] = derChildren(parts, DER_SEQUENCE);
  const value = parts.find(({ tag }) => tag === DER_OCTETS)?.content;
  const name = algorithm && DIGESTS[algorithm.content.toString("hex")];
  return name !== undefined && value ? [{ name, value }] : [];
}
