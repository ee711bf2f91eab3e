import { crc32, deflateSync } from "node:zlib";

/** Parts of a PNG; each replaces that of a valid one. */
export interface PngCase {
  readonly width?: number;
  readonly height?: number;
  readonly depth?: number;
  readonly colorType?: number;
  readonly interlace?: number;
  /** Rows before compression, each with its filter byte. */
  readonly rows?: Buffer;
  readonly palette?: Buffer;
  readonly transparency?: Buffer;
  /** Further chunks before the pixels. */
  readonly chunks?: readonly (readonly [type: string, data: Buffer])[];
}

const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Writes a PNG: by default a white pixel. */
export function pngOf(given: PngCase = {}): Buffer {
  const { width = 1, height = 1, depth = 8, colorType = 2, interlace = 0, palette, transparency } = given;
  const rowBytes = 1 + Math.ceil((width * (CHANNELS[colorType] ?? 1) * depth) / 8);
  const blank = Buffer.alloc(rowBytes * height, 255);
  for (let at = 0; at < blank.length; at += rowBytes) blank[at] = 0;
  const { rows = colorType === 3 ? Buffer.alloc(blank.length) : blank, chunks = [] } = given;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colorType, 0, 0, interlace], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunkOf("IHDR", header),
    ...(palette ? [chunkOf("PLTE", palette)] : []),
    ...(transparency ? [chunkOf("tRNS", transparency)] : []),
    ...chunks.map(([type, data]) => chunkOf(type, data)),
    chunkOf("IDAT", deflateSync(rows)),
    chunkOf("IEND", Buffer.alloc(0)),
  ]);
}

function chunkOf(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

export const whitePixel = pngOf();
