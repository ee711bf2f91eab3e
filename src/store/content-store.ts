import { Binary, BSON, type Db } from "mongodb";
import type { MessageBody, MessageContent } from "../message/content.ts";
import { Fault } from "../shared/fault.ts";
import { bucketOf } from "../shared/ids.ts";
import { allNamed, readByIds } from "./bucket.ts";
import { bytesOf, createChunkStore, INLINE_MAX_BYTES, UnreadableError } from "./chunk-store.ts";
import type { ContentDocument, StoredContent } from "./message-documents.ts";
import type { OrderedInsert } from "./ordered-write.ts";
import { everybodys, type Owner } from "./owner.ts";
import type { SealedBodyStore } from "./sealing/sealed-body.ts";
import { guarded } from "./store-fault.ts";
import { createUpload, type Upload } from "./upload.ts";

/** A body to store, or one that was uploaded before. */
export type NewBody = MessageBody | { readonly kind: "uploaded"; readonly chunkCount: number };

export interface NewContent {
  readonly id: string;
  readonly accountId: string;
  readonly body: NewBody;
  /** An upper bound. */
  readonly sizeBytes: number;
  readonly createdAt: Date;
  readonly expireAt: Date;
  /** The body is encrypted in the store. It must be composed. */
  readonly isSecret?: true;
}

/** An existing body that is incomplete. */
export interface UnreadableBody {
  readonly kind: "unreadable";
  /** Reason, such as `chunk 3 of 7 is missing`. */
  readonly reason: string;
}

export type ContentStore = ReturnType<typeof createContentStore>;

export function createContentStore(db: Db, sealedBodies: SealedBodyStore) {
  const contents = db.collection<ContentDocument>("contents");
  const chunks = createChunkStore(db);

  async function read(document: ContentDocument): Promise<MessageBody> {
    const { _id: id, content, source, raw, sealed, chunkCount = 0 } = document;
    if (content) return composed(content);
    if (source) return { kind: "raw", source: Buffer.from(bytesOf(source)) };
    const bytes = await (sealed ? sealedBodies.read(id) : chunks.read(id, chunkCount));
    return raw ? { kind: "raw", source: bytes } : composed(BSON.deserialize(bytes).content as StoredContent);
  }

  /** @throws only Fault store.unavailable: a damaged body must not block others */
  async function readOrReport(document: ContentDocument): Promise<MessageBody | UnreadableBody> {
    try {
      return await read(document);
    } catch (error) {
      if (error instanceof Fault && error.code === "store.unavailable") throw error;
      const reason = error instanceof UnreadableError ? error.message : `it cannot be decoded (${error})`;
      return { kind: "unreadable", reason };
    }
  }

  async function bodyFields({
    id,
    body,
    sizeBytes,
    expireAt,
    isSecret,
  }: NewContent): Promise<Partial<ContentDocument>> {
    if (body.kind === "uploaded") return { raw: true, chunkCount: body.chunkCount };
    const isLarge = sizeBytes > INLINE_MAX_BYTES;
    if (body.kind === "raw") {
      if (!isLarge) return { source: new Binary(body.source) };
      return { raw: true, chunkCount: await chunks.write(id, body.source, expireAt) };
    }
    if (isSecret) {
      await sealedBodies.write(id, serialize(body.content), expireAt);
      return { sealed: true };
    }
    if (!isLarge) return { content: toStored(body.content) };
    return { chunkCount: await chunks.write(id, serialize(body.content), expireAt) };
  }

  async function documentOf(item: NewContent): Promise<ContentDocument> {
    const { id, accountId, createdAt, expireAt } = item;
    return { _id: id, bucket: bucketOf(id), accountId, createdAt, expireAt, ...(await bodyFields(item)) };
  }

  /** The existing ones of the bodies. */
  async function loadMany(
    ids: readonly string[],
    owner: Owner,
  ): Promise<ReadonlyMap<string, MessageBody | UnreadableBody>> {
    const { documents, unreadable } = await readByIds(contents, ids, { owner: owner });
    const loaded = documents.map(async (document) => [document._id, await readOrReport(document)] as const);
    const damaged = unreadable.map(
      ({ id, reason }) => [id, { kind: "unreadable" as const, reason }] as const,
    );
    return new Map([...(await Promise.all(loaded)), ...damaged]);
  }

  return {
    /** The documents of `insertMany`, if each body is one document; undefined: some need more. */
    async toInsert(items: readonly NewContent[]): Promise<OrderedInsert[] | undefined> {
      if (items.some(isInSeveralDocuments)) return undefined;
      const documents = await Promise.all(items.map(documentOf));
      return documents.map((document) => ({ collection: contents.collectionName, document }));
    },

    forAccount: (accountId: string) => ({
      /** A body by its id; undefined: its retention has ended, or it never belonged to this account. */
      load: async (id: string): Promise<MessageBody | UnreadableBody | undefined> =>
        (await loadMany([id], { accountId })).get(id),
    }),

    acrossAccounts: {
      /** Stores bodies of several submissions at once. Bodies without a message, after a crash, expire. */
      async insertMany(items: readonly NewContent[]): Promise<void> {
        const documents: ContentDocument[] = [];
        // In sequence: large bodies are written in chunks.
        for (const item of items) documents.push(await documentOf(item));
        await guarded(contents.insertMany(documents, { ordered: false }));
      },

      /** Accepts a complete message in chunks, under the id of its future content. */
      upload: (id: string, expireAt: Date): Upload => createUpload({ chunks, id, expireAt }),

      /** Removes bodies without a message. Uploaded bodies keep their chunks. */
      async remove(items: readonly NewContent[]): Promise<void> {
        const names = items.map(({ id }) => ({ _id: id, bucket: bucketOf(id) }));
        await guarded(contents.deleteMany(allNamed(names)));
        await sealedBodies.remove(items.filter(({ isSecret }) => isSecret).map(({ id }) => id));
        for (const { id, body, sizeBytes } of items) {
          if (body.kind !== "uploaded" && sizeBytes > INLINE_MAX_BYTES) await chunks.removeOf(id, sizeBytes);
        }
      },

      /** Bodies by id. Bodies after their retention are missing. */
      loadMany: (ids: readonly string[]) => loadMany(ids, everybodys),
    },
  };
}

function isInSeveralDocuments({ body, sizeBytes, isSecret }: NewContent): boolean {
  return isSecret === true || body.kind === "uploaded" || sizeBytes > INLINE_MAX_BYTES;
}

function serialize(content: MessageContent): Uint8Array {
  const document = { content: toStored(content) };
  // The serializer's own buffer has 17 MB. The option for more is undocumented.
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

function composed(stored: StoredContent): MessageBody {
  const attachments = stored.attachments.map((attachment) => ({
    ...attachment,
    content: bytesOf(attachment.content),
  }));
  return { kind: "composed", content: { ...stored, attachments } };
}
