import { crc32, deflateRawSync } from "node:zlib";

export interface ZipFile {
  readonly name: string;
  readonly contents: Buffer;
  readonly isStored?: boolean;
  /** Sizes and checksum follow the contents, and the header has zeros (general purpose bit 3). */
  readonly hasDescriptor?: boolean;
  readonly isEncrypted?: boolean;
  /** False header values of the archive. */
  readonly lies?: {
    readonly size?: number;
    readonly packedSize?: number;
    readonly crc?: number;
    readonly method?: number;
    readonly offset?: number;
  };
}

export interface ZipOptions {
  readonly comment?: string;
  readonly isZip64?: boolean;
  /** Number of this part. */
  readonly disk?: number;
}

/** Builds a zip archive as described in APPNOTE.TXT. */
export function zipOf(
  files: readonly ZipFile[],
  { comment = "", isZip64, disk = 0 }: ZipOptions = {},
): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const packed = file.isStored ? file.contents : deflateRawSync(file.contents);
    const name = Buffer.from(file.name);
    const fields = (isLocal: boolean) => {
      const bytes = Buffer.alloc(22);
      const isLater = isLocal && file.hasDescriptor;
      bytes.writeUInt16LE((file.hasDescriptor ? 8 : 0) | (file.isEncrypted ? 1 : 0), 0);
      bytes.writeUInt16LE(file.lies?.method ?? (file.isStored ? 0 : 8), 2);
      bytes.writeUInt32LE(isLater ? 0 : (file.lies?.crc ?? crc32(file.contents)), 8);
      bytes.writeUInt32LE(isLater ? 0 : (file.lies?.packedSize ?? packed.length), 12);
      bytes.writeUInt32LE(isLater ? 0 : (file.lies?.size ?? file.contents.length), 16);
      bytes.writeUInt16LE(name.length, 20);
      return bytes;
    };
    const descriptor = file.hasDescriptor
      ? Buffer.concat([Buffer.from("PK\x07\x08"), fields(false).subarray(8, 20)])
      : Buffer.alloc(0);
    // An extra field, which many archives have here but not in the directory.
    const extra = Buffer.from([0x55, 0x54, 1, 0, 0]);
    const head = Buffer.concat([
      Buffer.from("PK\x03\x04\x14\x00"),
      fields(true),
      Buffer.from([5, 0]),
      name,
      extra,
    ]);
    const entry = Buffer.concat([
      Buffer.from("PK\x01\x02\x14\x03\x14\x00"),
      fields(false),
      Buffer.alloc(12),
      Buffer.alloc(4),
      name,
    ]);
    entry.writeUInt32LE(file.lies?.offset ?? offset, 42);
    directory.push(entry);
    parts.push(head, packed, descriptor);
    offset += head.length + packed.length + descriptor.length;
  }
  const list = Buffer.concat(directory);
  const locator = isZip64 ? Buffer.concat([Buffer.from("PK\x06\x07"), Buffer.alloc(16)]) : Buffer.alloc(0);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(disk, 4);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...parts, list, locator, end, Buffer.from(comment, "latin1")]);
}
