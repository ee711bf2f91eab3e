const SEQUENCE = 0x30;
/** Tag of the version, which the oldest certificates omit. */
const CONTEXT_0 = 0xa0;

/**
 * Extracts the SubjectPublicKeyInfo of a DER certificate without re-encoding, because a different encoding has a different
 * digest (RFC 6698 section 2.1.2).
 * @throws Error when it is not a certificate
 */
export function subjectPublicKeyInfo(certificate: Buffer): Buffer {
  const whole = readElement(certificate, 0, SEQUENCE);
  const toBeSigned = readElement(certificate, whole.contentStart, SEQUENCE);
  let offset = toBeSigned.contentStart;
  if (certificate[offset] === CONTEXT_0) offset = readElement(certificate, offset).end;
  // Serial number, signature algorithm, issuer, validity, subject.
  for (let i = 0; i < 5; i++) offset = readElement(certificate, offset).end;
  const { end } = readElement(certificate, offset, SEQUENCE);
  return certificate.subarray(offset, end);
}

interface Element {
  readonly contentStart: number;
  readonly end: number;
}

function readElement(der: Buffer, offset: number, tag?: number): Element {
  if (tag !== undefined && der[offset] !== tag) throw new Error("not a DER certificate");
  // Reading past the end throws.
  const first = der.readUInt8(offset + 1);
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (first >= 0x80 && (lengthBytes === 0 || lengthBytes > 4)) throw new Error("not a DER certificate");
  const contentStart = offset + 2 + lengthBytes;
  const end = contentStart + (lengthBytes === 0 ? first : der.readUIntBE(offset + 2, lengthBytes));
  if (end > der.length) throw new Error("not a DER certificate");
  return { contentStart, end };
}
