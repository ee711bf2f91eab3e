import { crc32, inflateRawSync } from "node:zlib";
import { UnreadableError } from "./unreadable-error.ts";

/** Signatures and sizes from APPNOTE.TXT sections 4.3.7, 4.3.12, 4.3.15 and 4.3.16. */
const LOCAL = { signature: 0x04034b50, bytes: 30 };
const CENTRAL = { signature: 0x02014b50, bytes: 46 };
const END = { signature: 0x06054b50, bytes: 22 };
const ZIP64_LOCATOR = { signature: 0x07064b50, bytes: 20 };
const MAX_COMMENT = 0xffff;

const ENCRYPTED = 0x0001;
const STORED = 0;
const DEFLATED = 8;
const SLASH = 0x2f;

/** One file of an archive according to the central directory. The local file header may be missing or wrong. */
export interface ZipEntry {
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly headerOffset: number;
  /** No file begins at or after this offset. */
  readonly directoryOffset: number;
}

/**
 * The files of an archive in the order of its central directory, without folders.
 * @throws UnreadableError if the archive is cut off, damaged, split, or in zip64
 */
export function listZip(bytes: Buffer): ZipEntry[] {
  const end = findEnd(bytes);
  const count = bytes.readUInt16LE(end + 10);
  const directoryOffset = bytes.readUInt32LE(end + 16);
  if (count === 0xffff || directoryOffset === 0xffffffff || hasZip64(bytes, end))
    throw new UnreadableError("the archive is a zip64 archive");
  if (bytes.readUInt16LE(end + 4) !== 0 || bytes.readUInt16LE(end + 6) !== 0)
    throw new UnreadableError("the file is one part of a split zip archive");

  const entries: ZipEntry[] = [];
  let at = directoryOffset;
  for (let i = 0; i < count; i++) {
    if (at + CENTRAL.bytes > end || bytes.readUInt32LE(at) !== CENTRAL.signature)
      throw new UnreadableError("the file list of the zip archive is damaged");
    const nameBytes = bytes.readUInt16LE(at + 28);
    const isFolder = bytes[at + CENTRAL.bytes + nameBytes - 1] === SLASH && nameBytes > 0;
    if (!isFolder)
      entries.push({
        flags: bytes.readUInt16LE(at + 8),
        method: bytes.readUInt16LE(at + 10),
        crc: bytes.readUInt32LE(at + 16),
        packedBytes: bytes.readUInt32LE(at + 20),
        headerOffset: bytes.readUInt32LE(at + 42),
        directoryOffset,
      });
    at += CENTRAL.bytes + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

/**
 * The contents of one file. The checksum (CRC-32) verifies them, not the sizes: those are wrong or missing in some
 * intact archives, and a deflate stream contains its end.
 * @throws UnreadableError if the file is damaged, encrypted, or compressed with an unusual method
 * @throws Error of zlib if the stream is damaged, cut off, or larger than the limit
 */
export function readZipEntry(bytes: Buffer, entry: ZipEntry, maxBytes: number): Buffer {
  if ((entry.flags & ENCRYPTED) !== 0) throw new UnreadableError("a file of the zip archive is encrypted");
  const { method, headerOffset: at, directoryOffset, packedBytes } = entry;
  if (method !== STORED && method !== DEFLATED)
    throw new UnreadableError(`a file of the zip archive is compressed with method ${method}`);
  if (at + LOCAL.bytes > directoryOffset || bytes.readUInt32LE(at) !== LOCAL.signature)
    throw new UnreadableError("the file list of the zip archive names a missing file");
  const start = at + LOCAL.bytes + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);

  const end = Math.min(start + packedBytes, directoryOffset);
  if (method === STORED && end - start > maxBytes)
    throw new UnreadableError("the files of the zip archive are too large");
  const contents =
    method === STORED
      ? bytes.subarray(start, end)
      : inflateRawSync(bytes.subarray(start, directoryOffset), { maxOutputLength: maxBytes });
  if (crc32(contents) !== entry.crc) throw new UnreadableError("a file of the zip archive is damaged");
  return contents;
}

/** Finds the end record. A comment of at most 64 KB may follow it and may resemble it. */
function findEnd(bytes: Buffer): number {
  const last = bytes.length - END.bytes;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT); at--) {
    if (bytes.readUInt32LE(at) !== END.signature) continue;
    if (bytes.readUInt32LE(at + 12) + bytes.readUInt32LE(at + 16) <= at || hasZip64(bytes, at)) return at;
  }
  throw new UnreadableError("the zip archive is cut off");
}

function hasZip64(bytes: Buffer, end: number): boolean {
  const at = end - ZIP64_LOCATOR.bytes;
  return at >= 0 && bytes.readUInt32LE(at) === ZIP64_LOCATOR.signature;
}
