import { BSON } from "mongodb";

/** The readable rest of a document that cannot be decoded as a whole. */
export interface Salvaged {
  /** The readable top-level fields, by name. */
  readonly fields: ReadonlyMap<string, unknown>;
  /**
   * The first unreadable field with the reason, such as `subject: Invalid UTF-8 string in BSON document`; undefined:
   * none.
   */
  readonly fault: string | undefined;
}

/** Length in bytes of fixed-length values (https://bsonspec.org/spec.html). */
const FIXED_LENGTHS: Readonly<Record<number, number>> = {
  1: 8,
  6: 0,
  7: 12,
  8: 1,
  9: 8,
  10: 0,
  16: 4,
  17: 8,
  18: 8,
  19: 16,
  127: 0,
  255: 0,
};
const STRINGS = [0x02, 0x0d, 0x0e];
const BINARY = 0x05;
const NESTED = [0x03, 0x04, 0x0f];

/** Decodes each field of a BSON document separately. Never throws. */
export function salvage(document: Uint8Array): Salvaged {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  const fields = new Map<string, unknown>();
  let fault: string | undefined;
  const limit = bytes.length - 1;
  for (let at = 4; at < limit; ) {
    const nameStop = bytes.indexOf(0, at + 1);
    const name = bytes.toString("utf8", at + 1, nameStop);
    const next = nameStop < 0 ? Number.NaN : nameStop + 1 + lengthAt(bytes, bytes[at] ?? 0, nameStop + 1);
    if (!(next <= limit)) {
      return { fields, fault: fault ?? `${name.slice(0, 40)}: it does not end within the document` };
    }
    try {
      fields.set(name, Object.values(BSON.deserialize(alone(bytes.subarray(at, next))))[0]);
    } catch (error) {
      fault ??= `${name.slice(0, 40)}: ${error instanceof Error ? error.message : error}`;
    }
    at = next;
  }
  return { fields, fault };
}

/** Not a number: the type is unsupported, or the length is invalid. */
function lengthAt(bytes: Buffer, type: number, at: number): number {
  const fixed = FIXED_LENGTHS[type];
  if (fixed !== undefined) return fixed;
  if (at + 4 > bytes.length) return Number.NaN;
  const announced = bytes.readInt32LE(at);
  if (announced < 0) return Number.NaN;
  if (STRINGS.includes(type)) return 4 + announced;
  if (type === BINARY) return 5 + announced;
  return NESTED.includes(type) && announced >= 5 ? announced : Number.NaN;
}

/** A document of one element. */
function alone(element: Buffer): Buffer {
  const bytes = Buffer.alloc(element.length + 5);
  bytes.writeInt32LE(bytes.length, 0);
  element.copy(bytes, 4);
  return bytes;
}
