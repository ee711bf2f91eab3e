import { promisify } from "node:util";
import { crc32, deflate, inflate } from "node:zlib";

/** Maximum number of pixels on each side. Its pixels take at most 10 MB in memory. */
export const MAX_SIDE = 1_600;

export type PngProblem = "not_png" | "pixels" | "form" | "damaged";

export type CleanedPng =
  | { readonly ok: true; readonly png: Buffer; readonly width: number; readonly height: number }
  | { readonly ok: false; readonly problem: PngProblem };

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colorType: number;
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const HEADER_BYTES = 13;
/** Length, type and checksum of a chunk. */
const CHUNK_BYTES = 12;
const LAST_FILTER = 4;
const PALETTE = 3;
/** Channels and bit depths by color type (W3C PNG section 11.2.1), without 16 bits. */
const COLOR_TYPES: Readonly<
  Record<number, { readonly channels: number; readonly depths: readonly number[] }>
> = {
  0: { channels: 1, depths: [1, 2, 4, 8] },
  2: { channels: 3, depths: [8] },
  [PALETTE]: { channels: 1, depths: [1, 2, 4, 8] },
  4: { channels: 2, depths: [8] },
  6: { channels: 4, depths: [8] },
};
/** Size of transparency by color type without a palette. */
const TRANSPARENCY_BYTES: Readonly<Record<number, number>> = { 0: 2, 2: 6 };

const inflated = promisify(inflate);
const deflated = promisify(deflate);

/**
 * Encodes a PNG again, with its header, palette, transparency and pixels only. Texts, profiles and unknown chunks are
 * left out, and the result never unpacks to more than its size in pixels. An animated PNG becomes its still image.
 */
export async function cleanPng(bytes: Uint8Array): Promise<CleanedPng> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return refused("not_png");
  const chunks = readChunks(file);
  const [first] = chunks ?? [];
  if (!chunks || first?.type !== "IHDR" || first.data.length !== HEADER_BYTES) return refused("damaged");
  const header = {
    width: first.data.readUInt32BE(0),
    height: first.data.readUInt32BE(4),
    depth: first.data[8] ?? 0,
    colorType: first.data[9] ?? 0,
  };
  const { width, height, depth, colorType } = header;
  if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE) return refused("pixels");
  const isPlain = first.data.subarray(10).every((byte) => byte === 0);
  const kind = COLOR_TYPES[colorType];
  if (!kind?.depths.includes(depth) || !isPlain) return refused("form");
  const colors = colorChunks(header, chunks);
  const rowBytes = 1 + Math.ceil((width * kind.channels * depth) / 8);
  const rows = await unpack(chunks, rowBytes * height);
  if (!colors || !rows || !hasFilters(rows, rowBytes)) return refused("damaged");
  const pixels = await deflated(rows, { level: 9 });
  const written = [first, ...colors, { type: "IDAT", data: pixels }, { type: "IEND", data: Buffer.alloc(0) }];
  return { ok: true, png: Buffer.concat([SIGNATURE, ...written.map(writeChunk)]), width, height };
}

/** Size of a PNG that `cleanPng` has written. */
export function sizeOfPng(png: Uint8Array): { readonly width: number; readonly height: number } {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const at = SIGNATURE.length + 8;
  return { width: view.getUint32(at), height: view.getUint32(at + 4) };
}

const refused = (problem: PngProblem) => ({ ok: false, problem }) as const;

/** The chunks up to the end of the image; undefined: the file is incomplete, or a checksum is wrong. */
function readChunks(file: Buffer): readonly Chunk[] | undefined {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at + CHUNK_BYTES <= file.length; ) {
    const length = file.readUInt32BE(at);
    const end = at + CHUNK_BYTES + length;
    if (end > file.length) return undefined;
    const named = file.subarray(at + 4, end - 4);
    if (crc32(named) !== file.readUInt32BE(end - 4)) return undefined;
    const type = named.toString("latin1", 0, 4);
    if (type === "IEND") return chunks;
    chunks.push({ type, data: named.subarray(4) });
    at = end;
  }
  return undefined;
}

/** Palette and transparency that the image needs; undefined: they are missing or do not fit. */
function colorChunks({ depth, colorType }: Header, chunks: readonly Chunk[]): readonly Chunk[] | undefined {
  const palette = chunks.find(({ type }) => type === "PLTE");
  const transparency = chunks.find(({ type }) => type === "tRNS");
  if (colorType !== PALETTE) {
    const fits = transparency && transparency.data.length === TRANSPARENCY_BYTES[colorType];
    return fits ? [transparency] : [];
  }
  const entries = (palette?.data.length ?? 0) / 3;
  if (!palette || !Number.isInteger(entries) || entries < 1 || entries > 2 ** depth) return undefined;
  return transparency && transparency.data.length <= entries ? [palette, transparency] : [palette];
}

/** @returns undefined: the data is damaged, or has another size */
async function unpack(chunks: readonly Chunk[], size: number): Promise<Buffer | undefined> {
  const packed = Buffer.concat(chunks.flatMap(({ type, data }) => (type === "IDAT" ? [data] : [])));
  try {
    const rows = await inflated(packed, { maxOutputLength: size });
    return rows.length === size ? rows : undefined;
  } catch {
    return undefined;
  }
}

/** Whether each row begins with a filter that exists. */
function hasFilters(rows: Buffer, rowBytes: number): boolean {
  for (let at = 0; at < rows.length; at += rowBytes) if ((rows[at] ?? 0) > LAST_FILTER) return false;
  return true;
}

function writeChunk({ type, data }: Chunk): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(CHUNK_BYTES + data.length);
  chunk.writeUInt32BE(data.length, 0);
  named.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(named), chunk.length - 4);
  return chunk;
}
