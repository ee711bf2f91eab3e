import { Binary, BSON, type Db } from "mongodb";
import type { MessageContent } from "../message/content.ts";
import { bytesOf, createChunkStore, INLINE_MAX_BYTES } from "./chunk-store.ts";
import type { ContentDocument, StoredContent } from "./documents.ts";
import { guarded } from "./store-fault.ts";

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
  const chunks = createChunkStore(db);

  async function read({ _id: id, content, chunkCount = 0 }: ContentDocument): Promise<MessageContent> {
    if (content) return fromStored(content);
    return fromStored(BSON.deserialize(await chunks.read(id, chunkCount)).content as StoredContent);
  }

  return {
    /** Stores bodies. Those that no message refers to, after a crash, go when they expire. */
    async insertMany(items: readonly NewContent[]): Promise<void> {
      const documents: ContentDocument[] = [];
      for (const item of items) {
        const { id, accountId, content, sizeBytes, createdAt, expireAt } = item;
        const body =
          sizeBytes > INLINE_MAX_BYTES
            ? { chunkCount: await chunks.write(id, serialize(content), expireAt) }
            : { content: toStored(content) };
        documents.push({ _id: id, accountId, createdAt, expireAt, ...body });
      }
      await guarded(contents.insertMany(documents, { ordered: false }));
    },

    /** Removes bodies that no message came to refer to; the chunks of large ones go when they expire. */
    async remove(ids: readonly string[]): Promise<void> {
      await guarded(contents.deleteMany({ _id: { $in: [...ids] } }));
    },

    /** Bodies by id; one that is past its retention is missing. */
    async loadMany(ids: readonly string[]): Promise<ReadonlyMap<string, MessageContent>> {
      const documents = await guarded(contents.find({ _id: { $in: [...ids] } }).toArray());
      const loaded = documents.map(async (document) => [document._id, await read(document)] as const);
      return new Map(await Promise.all(loaded));
    },
  };
}

function serialize(content: MessageContent): Uint8Array {
  const document = { content: toStored(content) };
  // The serialiser's own buffer has room for 17 MB; its option for more is not among the declared ones.
  const options = { ignoreUndefined: true, minInternalBufferSize: BSON.calculateObjectSize(document) };
  return BSON.serialize(document, options);
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
