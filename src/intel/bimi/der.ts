/** One DER element (X.690): its tag with the class and form bits, and its contents. */
export interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
}

export const DER_SEQUENCE = 0x30;
export const DER_OCTETS = 0x04;
export const DER_OID = 0x06;
export const DER_IA5_STRING = 0x16;

/** X.509 needs no tag number above 30, which would take more than one octet. */
const LONG_TAG = 0x1f;
const MAX_LENGTH_OCTETS = 4;

/**
 * Reads a sequence of elements, without their contents.
 * @throws RangeError if the bytes are not DER or are cut off
 */
export function readDer(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const tag = bytes.readUInt8(offset);
    if ((tag & LONG_TAG) === LONG_TAG) throw new RangeError("a tag has more than one octet");
    const first = bytes.readUInt8(offset + 1);
    const octets = first < 0x80 ? 0 : first & 0x7f;
    if (first === 0x80 || octets > MAX_LENGTH_OCTETS)
      throw new RangeError("a length encoding is invalid in DER");
    const start = offset + 2 + octets;
    const length = octets === 0 ? first : bytes.readUIntBE(offset + 2, octets);
    if (start + length > bytes.length) throw new RangeError("an element is longer than its container");
    elements.push({ tag, content: bytes.subarray(start, start + length) });
    offset = start + length;
  }
  return elements;
}

/** The children of the first element with this tag. Empty: there is no such element. @throws RangeError as `readDer` */
export function derChildren(elements: readonly DerElement[], tag: number): DerElement[] {
  const found = elements.find((one) => one.tag === tag);
  return found ? readDer(found.content) : [];
}
