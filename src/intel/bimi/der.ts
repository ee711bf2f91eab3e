/** One element of DER (X.690): its tag with the bits of class and form, and what is in it. */
export interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
}

export const DER_SEQUENCE = 0x30;
export const DER_OCTETS = 0x04;
export const DER_OID = 0x06;
export const DER_IA5_STRING = 0x16;

/** X.509 needs no tag number beyond 30, which would take more octets than one. */
const LONG_TAG = 0x1f;
const MAX_LENGTH_OCTETS = 4;

/**
 * The elements that follow each other; none of what is in them is read.
 * @throws RangeError when it is no DER, or cut short
 */
export function readDer(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const tag = bytes.readUInt8(offset);
    if ((tag & LONG_TAG) === LONG_TAG) throw new RangeError("a tag of more than one octet");
    const first = bytes.readUInt8(offset + 1);
    const octets = first < 0x80 ? 0 : first & 0x7f;
    if (first === 0x80 || octets > MAX_LENGTH_OCTETS) throw new RangeError("a length that DER does not have");
    const start = offset + 2 + octets;
    const length = octets === 0 ? first : bytes.readUIntBE(offset + 2, octets);
    if (start + length > bytes.length) throw new RangeError("an element is longer than what it is in");
    elements.push({ tag, content: bytes.subarray(start, start + length) });
    offset = start + length;
  }
  return elements;
}

/** The elements in the one of this tag, the first if there are several; none: empty. @throws RangeError as `readDer` */
export function derChildren(elements: readonly DerElement[], tag: number): DerElement[] {
  const found = elements.find((one) => one.tag === tag);
  return found ? readDer(found.content) : [];
}
