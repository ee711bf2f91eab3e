import { inflateSync } from "node:zlib";

const WOFF_HEADER = 44;
const WOFF_ENTRY = 20;
const SFNT_HEADER = 12;
const SFNT_ENTRY = 16;

/**
 * The font in a WOFF file, with the same tables. The PDF renderer would inflate the outlines of a WOFF once for each letter.
 * @throws Error when it is no WOFF of version 1
 */
export function unpackWoff(woff) {
  if (woff.toString("latin1", 0, 4) !== "wOFF") throw new Error("The font is no WOFF of version 1.");
  const count = woff.readUInt16BE(12);
  const head = Buffer.alloc(SFNT_HEADER + count * SFNT_ENTRY);
  woff.copy(head, 0, 4, 8);
  const power = Math.floor(Math.log2(count));
  for (const [index, value] of [count, 2 ** power * 16, power, (count - 2 ** power) * 16].entries())
    head.writeUInt16BE(value, 4 + index * 2);
  const parts = [head];
  let offset = head.length;
  for (let index = 0; index < count; index++) {
    const from = WOFF_HEADER + index * WOFF_ENTRY;
    const [at, stored, size, checksum] = [4, 8, 12, 16].map((place) => woff.readUInt32BE(from + place));
    const packed = woff.subarray(at, at + stored);
    const table = stored < size ? inflateSync(packed) : packed;
    if (table.length !== size) throw new Error("A table of the font has another length than it says.");
    const to = SFNT_HEADER + index * SFNT_ENTRY;
    woff.copy(head, to, from, from + 4);
    for (const [place, value] of [checksum, offset, size].entries())
      head.writeUInt32BE(value, to + 4 + place * 4);
    // Each table begins at a multiple of four.
    const padding = Buffer.alloc(-size & 3);
    parts.push(table, padding);
    offset += size + padding.length;
  }
  return Buffer.concat(parts);
}
