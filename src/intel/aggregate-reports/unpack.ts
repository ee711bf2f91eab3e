import { gunzipSync } from "node:zlib";
import { reasonOf, UnreadableError } from "./unreadable-error.ts";
import { listZip, readZipEntry } from "./zip-entries.ts";

/**
 * Maximum size of a mail, and of all its unpacked contents. The compression ratio is not limited: reports are very
 * repetitive.
 */
export const MAX_BYTES = 25 * 1024 * 1024;
const MAX_UNPACKED_BYTES = 100 * 1024 * 1024;
/** Documents of all nested archives: users upload folders of reports. */
const MAX_DOCUMENTS = 1_000;
const MAX_DEPTH = 3;

/** Tab, line feed, carriage return, space. */
const WHITE_SPACE = [0x09, 0x0a, 0x0d, 0x20];
const GZIP = Buffer.from([0x1f, 0x8b]);
const ZIP = Buffer.from("PK\x03\x04");
const EMPTY_ZIP = Buffer.from("PK\x05\x06");
/** Metadata that macOS adds for each file of an archive (AppleDouble). */
const MAC_ATTRIBUTES = Buffer.from([0x00, 0x05, 0x16, 0x07]);

/** A document, or the reason why there is none. */
export type Contents = { readonly bytes: Buffer } | { readonly reason: string };

/** Remaining budget. Each unpacked archive reduces it. */
export interface Budget {
  bytes: number;
  documents: number;
}

export function budgetOf(): Budget {
  return { bytes: MAX_UNPACKED_BYTES, documents: MAX_DOCUMENTS };
}

/**
 * The documents of an attachment or upload, one after the other, so that only one needs memory. Their first bytes
 * decide the type, never the name. gzip may have several members and trailing zeros; archives may be nested. Contents
 * that cannot be unpacked yield a reason and do not stop the others. Yields at least one document or reason.
 */
export function* unpack(bytes: Buffer, budget = budgetOf()): Generator<Contents> {
  if (bytes.length > MAX_BYTES) {
    yield { reason: `the file has more than ${MAX_BYTES / 1024 / 1024} MB` };
    return;
  }
  let isEmpty = true;
  for (const document of documentsOf(bytes, budget, 0)) {
    isEmpty = false;
    if (budget.documents-- <= 0) {
      yield { reason: `the archive has more than ${MAX_DOCUMENTS} files` };
      return;
    }
    yield document;
  }
  if (isEmpty) yield { reason: "the archive contains no files" };
}

function* documentsOf(bytes: Buffer, budget: Budget, depth: number): Generator<Contents> {
  try {
    if (startsWith(bytes, GZIP)) {
      yield* documentsOf(bounded(budget, gunzip(bytes)), budget, deeper(depth));
    } else if (startsWith(bytes, ZIP) || startsWith(bytes, EMPTY_ZIP)) {
      const inside = deeper(depth);
      for (const entry of listZip(bytes))
        yield* entryOf((max) => readZipEntry(bytes, entry, max), budget, inside);
    } else if (!(depth > 0 && startsWith(bytes, MAC_ATTRIBUTES))) {
      yield { bytes };
    }
  } catch (error) {
    yield { reason: reasonOf(error) };
  }
}

/** One file of an archive. A problem with it does not affect other files. */
function* entryOf(read: (maxBytes: number) => Buffer, budget: Budget, depth: number): Generator<Contents> {
  let contents: Buffer;
  try {
    contents = bounded(budget, read);
  } catch (error) {
    yield { reason: reasonOf(error) };
    return;
  }
  yield* documentsOf(contents, budget, depth);
}

function gunzip(bytes: Buffer): (maxBytes: number) => Buffer {
  return (maxOutputLength) => {
    try {
      return gunzipSync(bytes, { maxOutputLength });
    } catch (error) {
      // Some senders append a line break to the archive.
      const end = lengthWithoutSpace(bytes);
      const isDamaged =
        error instanceof Error && "code" in error && /^Z_(?:DATA|BUF)_ERROR$/.test(String(error.code));
      if (!isDamaged || end === bytes.length) throw error;
      return gunzipSync(bytes.subarray(0, end), { maxOutputLength });
    }
  };
}

function lengthWithoutSpace(bytes: Buffer): number {
  let length = bytes.length;
  while (length > 0 && WHITE_SPACE.includes(bytes[length - 1] ?? 0)) length -= 1;
  return length;
}

/** @throws UnreadableError, also for errors of zlib */
function bounded(budget: Budget, read: (maxBytes: number) => Buffer): Buffer {
  const tooLarge = `the unpacked contents have more than ${MAX_UNPACKED_BYTES / 1024 / 1024} MB`;
  if (budget.bytes <= 0) throw new UnreadableError(tooLarge);
  try {
    const contents = read(budget.bytes);
    budget.bytes -= contents.length;
    return contents;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ERR_BUFFER_TOO_LARGE") {
      budget.bytes = 0;
      throw new UnreadableError(tooLarge);
    }
    if (code === "Z_BUF_ERROR") throw new UnreadableError("the archive is cut off");
    if (typeof code === "string" && code.startsWith("Z_"))
      throw new UnreadableError("the archive is damaged");
    throw error;
  }
}

function deeper(depth: number): number {
  if (depth >= MAX_DEPTH) throw new UnreadableError("the archives are nested too deeply");
  return depth + 1;
}

/** Detects an archive by its first bytes. */
export function isArchive(bytes: Buffer): boolean {
  return [GZIP, ZIP, EMPTY_ZIP].some((magic) => startsWith(bytes, magic));
}

function startsWith(bytes: Buffer, magic: Buffer): boolean {
  return bytes.subarray(0, magic.length).equals(magic);
}
