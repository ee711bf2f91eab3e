import { decodeDocument, decodeValue, eachElement } from "./decode.ts";
import type { Doc } from "./values.ts";

/** The decoder's replacement for invalid UTF-8, U+FFFD. */
const REPLACEMENT = Buffer.from("\ufffd");

/**
 * Decodes a stored document that will be changed.
 * @param needsAll the change depends on the whole document; otherwise damaged fields are null
 */
export function decodeToChange(bytes: Buffer, needsAll: boolean): { document: Doc; isDamaged: boolean } {
  try {
    return { document: decodeDocument(bytes), isDamaged: false };
  } catch (error) {
    if (needsAll) throw error;
  }
  const document: Doc = new Map();
  eachElement(bytes, 0, (type, nameStart, nameStop, at, limit) => {
    const name = bytes.toString("utf8", nameStart, nameStop);
    try {
      document.set(name, decodeValue(bytes, type, at, limit, 0));
    } catch {
      document.set(name, null);
    }
  });
  return { document, isDamaged: true };
}

/**
 * The bytes to store of a changed document. If decoding has lost something, the unchanged fields keep their bytes: an update
 * must not make a damaged text appear intact.
 * @param encoded the document after the change
 */
export function withDamageKept(
  encoded: Buffer,
  stored: Buffer,
  isDamaged: boolean,
  changes: ReadonlySet<string> | undefined,
): Buffer {
  if (changes === undefined || !(isDamaged || encoded.includes(REPLACEMENT))) return encoded;
  const kept = elementsOf(stored);
  const parts: Buffer[] = [Buffer.alloc(4)];
  for (const [name, element] of elementsOf(encoded)) {
    parts.push((changes.has(name) ? undefined : kept.get(name)) ?? element);
  }
  const bytes = Buffer.concat([...parts, Buffer.alloc(1)]);
  bytes.writeInt32LE(bytes.length, 0);
  return bytes;
}

/** The encoded elements of a document, by name. */
function elementsOf(bytes: Buffer): Map<string, Buffer> {
  const elements = new Map<string, Buffer>();
  eachElement(bytes, 0, (_type, nameStart, nameStop, _at, limit) => {
    elements.set(bytes.toString("utf8", nameStart, nameStop), bytes.subarray(nameStart - 1, limit));
  });
  return elements;
}
