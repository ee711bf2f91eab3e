import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import {
  type CertificateOptions,
  element,
  type IssuedCertificate,
  issueCertificate,
  oid,
  sequence,
} from "../../src/shared/issue-certificate.ts";
import { daysFromNow, pemOf } from "./mail-server.ts";

export interface MarkCertificateOptions extends Omit<CertificateOptions, "subject"> {
  /** Embedded image; null: no logotype. */
  readonly image?: Buffer | null;
  /** Source of the embedded digest; missing: the image. */
  readonly digestOf?: Buffer;
  /** Whether the certificate of the issuer follows. */
  readonly isAlone?: boolean;
  readonly isSelfSigned?: boolean;
}

const SHA256 = "2.16.840.1.101.3.4.2.1";
const LOGOTYPE = "1.3.6.1.5.5.7.1.12";
const MARK_PURPOSE = "1.3.6.1.5.5.7.3.31";

const markRoot = issueCertificate({
  subject: "mark root",
  authority: true,
  notBefore: daysFromNow(-100),
  notAfter: daysFromNow(1_000),
});
export const markAuthority = issueCertificate({
  subject: "mark authority",
  issuer: markRoot,
  authority: true,
  notBefore: daysFromNow(-100),
  notAfter: daysFromNow(1_000),
});

/** An image that is valid as a mark. */
export const MARK_IMAGE = Buffer.from(
  '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" version="1.2" baseProfile="tiny-ps" viewBox="0 0 9 9">' +
    '<title>Example</title><rect width="9" height="9" fill="url(#a)"/></svg>',
);

/** Creates a mark certificate in PEM as authorities issue it, with optional changes. */
export function markPem({
  image = MARK_IMAGE,
  digestOf,
  isAlone,
  isSelfSigned = false,
  ...options
}: MarkCertificateOptions = {}): string {
  const extensions = image ? [{ id: LOGOTYPE, value: logotype(image, digestOf ?? image) }] : [];
  const leaf: IssuedCertificate = issueCertificate({
    subject: "Example Ltd",
    ...(!isSelfSigned && { issuer: markAuthority }),
    names: ["example.com"],
    purpose: MARK_PURPOSE,
    notBefore: daysFromNow(-10),
    notAfter: daysFromNow(300),
    extensions,
    ...options,
  });
  return pemOf(isAlone ? [leaf] : [leaf, markAuthority, markRoot]);
}

/** RFC 9399 appendix A: subjectLogo [2], direct [0], one image. */
function logotype(image: Buffer, digestOf: Buffer): Buffer {
  const digest = createHash("sha256").update(digestOf).digest();
  const url = `data:image/svg+xml;base64,${gzipSync(image).toString("base64")}`;
  const details = sequence(
    element(0x16, Buffer.from("image/svg+xml")),
    sequence(sequence(sequence(oid(SHA256)), element(0x04, digest))),
    sequence(element(0x16, Buffer.from(url))),
  );
  return sequence(element(0xa2, element(0xa0, sequence(sequence(details)))));
}
