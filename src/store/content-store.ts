import { Binary, BSON, type Db } from "mongodb";
import type { MessageContent } from "../message/content.ts";
import type { ContentChunkDocument, ContentDocument, StoredContent } from "./documents.ts";
import { guarded } from "./store-fault.ts";

/** Above this a body lies in chunks: a document may have 16 MB. */
const INLINE_MAX_BYTES = 12 * 1024 * 1024;
const CHUNK_BYTES = 8 * 1024 * 1024;

export interface NewContent {
  readonly id: string;
  readonly accountId: string;
  readonly content: MessageContent;
  /** An upper bound. */
  readonly sizeBytes: number;
  readonly createdAt: Date;
  readonly expireAt: Date;
}

export type ContentStore = ReturnType<typeof createContentStore>;

export function createContentStore(db: Db) {
  const contents = db.collection<ContentDocument>("contents");
  const chunks = db.collection<ContentChunkDocument>("contentChunks");

  async function storeChunks({ id, content, expireAt }: NewContent): Promise<number> {
    const bytes = Buffer.from(BSON.serialize({ content: toStored(content) }, { ignoreUndefined: true }));
    const count = Math.ceil(bytes.length / CHUNK_BYTES);
    for (let n = 0; n < count; n++) {
      const data = new Binary(bytes.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES));
      await chunks.insertOne({ _id: `${id}.${n}`, expireAt, data });
    }
    return count;
  }

  async function loadChunks(id: string, count: number): Promise<StoredContent> {
    const parts: Uint8Array[] = [];
    for (let n = 0; n < count; n++) {
      const chunk = await chunks.findOne({ _id: `${id}.${n}` });
      if (!chunk) throw new Error(`chunk ${n} of content ${id} is missing`);
      parts.push(bytesOf(chunk.data));
    }
    return BSON.deserialize(Buffer.concat(parts)).content as StoredContent;
  }

  return {
    /** Stores bodies. Those that no message refers to, after a crash, go when they expire. */
    async insertMany(items: readonly NewContent[]): Promise<void> {
      const documents: ContentDocument[] = [];
      for (const item of items) {
        const { id, accountId, content, sizeBytes, createdAt, expireAt } = item;
        const body =
          sizeBytes > INLINE_MAX_BYTES
            ? { chunkCount: await guarded(storeChunks(item)) }
            : { content: toStored(content) };
        documents.push({ _id: id, accountId, createdAt, expireAt, ...body });
      }
      await guarded(contents.insertMany(documents, { ordered: false }));
    },

    /** Removes bodies that no message came to refer to; the chunks of large ones go when they expire. */
    async remove(ids: readonly string[]): Promise<void> {
      await guarded(contents.deleteMany({ _id: { $in: [...ids] } }));
    },

    /** undefined: it is past its retention. */
    async load(id: string): Promise<MessageContent | undefined> {
      const document = await guarded(contents.findOne({ _id: id }));
      if (!document) return undefined;
      return fromStored(document.content ?? (await guarded(loadChunks(id, document.chunkCount ?? 0))));
    },
  };
}

function bytesOf(binary: Binary): Uint8Array {
  return binary.buffer.subarray(0, binary.position);
}

function toStored(content: MessageContent): StoredContent {
  const attachments = content.attachments.map((attachment) => ({
    ...attachment,
    content: new Binary(attachment.content),
  }));
  return { ...content, attachments };
}

function fromStored(stored: StoredContent): MessageContent {
  const attachments = stored.attachments.map((attachment) => ({
    ...attachment,
    content: bytesOf(attachment.content),
  }));
  return { ...stored, attachments };
}
