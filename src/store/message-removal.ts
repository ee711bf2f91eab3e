import type { ClientSession, Db, Filter } from "mongodb";
import { bucketOf } from "../shared/ids.ts";
import { allNamed, NO_BUCKET, named } from "./bucket.ts";
import { createChunkStore } from "./chunk-store.ts";
import type {
  ContentDocument,
  EventDocument,
  MessageDocument,
  QuarantineDocument,
  SandboxDocument,
} from "./message-documents.ts";
import { guarded } from "./store-fault.ts";
import { webhookCollections } from "./webhook-delivery-documents.ts";

/** Fields of a message to remove. */
export type Removable = Pick<
  MessageDocument,
  "_id" | "bucket" | "traceId" | "contentId" | "nextAttemptAt" | "held"
>;

export const REMOVABLE = { bucket: 1, traceId: 1, contentId: 1, nextAttemptAt: 1, held: 1 } as const;

/** Number of removed documents by collection. */
export type Removed = Readonly<Record<string, number>>;

export interface RemovalOptions {
  readonly session: ClientSession;
  /** Bodies that other messages of the account use stay; false: all bodies are removed. */
  readonly keepShared: boolean;
}

/**
 * Removes messages of one account with all dependent documents. Code that stores further documents for a message must
 * remove them here.
 */
export function createMessageRemoval(db: Db) {
  const messages = db.collection<MessageDocument>("messages");
  const contents = db.collection<ContentDocument>("contents");
  const events = db.collection<EventDocument>("events");
  const quarantine = db.collection<QuarantineDocument>("quarantine");
  const captured = db.collection<SandboxDocument>("sandboxMessages");
  const { deliveries } = webhookCollections(db);
  const chunks = createChunkStore(db);

  /** Bodies without other users: a submission with several recipients has one body. */
  async function ownContents(
    accountId: string,
    gone: readonly Removable[],
    session: ClientSession,
  ): Promise<{ readonly own: string[]; readonly shared: number }> {
    const ids = new Set(gone.map(({ contentId }) => contentId).filter((id) => id !== undefined));
    const traceIds = [...new Set(gone.map(({ traceId }) => traceId))];
    const goneIds = new Set(gone.map(({ _id }) => _id));
    const users = messages.find(
      { traceId: { $in: traceIds }, accountId, contentId: { $in: [...ids] } },
      { projection: { contentId: 1 }, session },
    );
    const used = new Set<string>();
    for await (const { _id, contentId } of users) if (!goneIds.has(_id)) used.add(contentId);
    return { own: [...ids].filter((id) => !used.has(id)), shared: used.size };
  }

  /** Removes chunks first, and counts them by their owner, which exists until the transaction ends. */
  async function removeChunked<T extends { readonly _id: string; readonly chunkCount?: number }>(
    found: readonly T[],
  ): Promise<number> {
    let count = 0;
    for (const { _id, chunkCount = 0 } of found) {
      if (chunkCount === 0) continue;
      await chunks.remove(_id, chunkCount);
      count += chunkCount;
    }
    return count;
  }

  /** Captured copies, with their chunks. */
  async function removeCaptured(
    filter: Filter<SandboxDocument>,
    session: ClientSession,
  ): Promise<{ readonly sandboxMessages: number; readonly chunks: number }> {
    const projection = { chunkCount: 1 };
    const found = await captured.find(filter, { projection, session }).toArray();
    if (found.length === 0) return { sandboxMessages: 0, chunks: 0 };
    const count = await removeChunked(found);
    const ids = found.map(({ _id }) => _id);
    const { deletedCount } = await captured.deleteMany({ ...filter, _id: { $in: ids } }, { session });
    return { sandboxMessages: deletedCount, chunks: count };
  }

  return {
    removeCaptured,

    /**
     * Removes messages that no worker is processing, within a transaction, so that counts and removals are
     * consistent. Errors of the driver are passed to the transaction.
     * @param gone at most 100
     */
    async remove(
      accountId: string,
      gone: readonly Removable[],
      { session, keepShared }: RemovalOptions,
    ): Promise<{ readonly removed: Removed; readonly shared: number }> {
      if (gone.length === 0) return { removed: {}, shared: 0 };
      const all = [...new Set(gone.flatMap(({ contentId }) => contentId ?? []))];
      const { own, shared } = keepShared
        ? await ownContents(accountId, gone, session)
        : { own: all, shared: 0 };
      const bodies = { ...allNamed(own.map((id) => ({ _id: id, bucket: bucketOf(id) }))), accountId };
      const found = await contents.find(bodies, { projection: { chunkCount: 1 }, session }).toArray();
      const bodyChunks = await removeChunked(found);
      const removedBodies = await contents.deleteMany(bodies, { session });
      const ids = { $in: gone.map(({ _id }) => _id) };
      const copies = await removeCaptured({ _id: ids, accountId }, session);
      const notes = await quarantine.deleteMany({ _id: ids, accountId }, { session });
      const deleted = await deliveries.deleteMany({ messageId: ids, accountId }, { session });
      let eventCount = 0;
      for (const { _id: id } of gone) {
        const bucket = { $in: [bucketOf(id), NO_BUCKET] };
        const ofMessage = { _id: { $gte: `${id}.`, $lt: `${id}/` }, bucket, accountId };
        eventCount += (await events.deleteMany(ofMessage, { session })).deletedCount;
      }
      const ended = { ...allNamed(gone), accountId, end: { $exists: true } };
      eventCount += await messages.countDocuments(ended, { session });
      // Last, because the other documents are found through it.
      const record = await messages.deleteMany({ ...allNamed(gone), accountId }, { session });
      return {
        removed: {
          messages: record.deletedCount,
          contents: removedBodies.deletedCount,
          chunks: bodyChunks + copies.chunks,
          events: eventCount,
          quarantine: notes.deletedCount,
          sandboxMessages: copies.sandboxMessages,
          webhookDeliveries: deleted.deletedCount,
        },
        shared,
      };
    },

    /**
     * Requests the cancellation of waiting messages by the owner of their partition. Messages that no worker can be
     * processing leave the queue.
     * @param reachable a message due until this time may be in processing
     */
    async withdraw(
      accountId: string,
      waiting: readonly Removable[],
      { now, reachable }: { readonly now: Date; readonly reachable: Date },
    ): Promise<void> {
      const operations = waiting.map((message) => {
        const isReachable = message.held || !message.nextAttemptAt || message.nextAttemptAt <= reachable;
        const name = { ...named(message), accountId, nextAttemptAt: { $exists: true } };
        const filter = isReachable ? name : { ...name, nextAttemptAt: { $gt: reachable } };
        const change = { $set: { cancelRequestedAt: now } };
        const update = isReachable ? change : { ...change, $unset: { nextAttemptAt: "" as const } };
        return { updateOne: { filter, update } };
      });
      if (operations.length > 0) await guarded(messages.bulkWrite(operations, { ordered: false }));
    },
  };
}
