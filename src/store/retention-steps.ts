import type { Db } from "mongodb";
import { bucketOf, idBound } from "../shared/ids.ts";
import { allNamed } from "./bucket.ts";
import { createChunkStore } from "./chunk-store.ts";
import type { ContentDocument, MessageDocument, SandboxDocument } from "./message-documents.ts";
import { createMessageRemoval, REMOVABLE, type Removable } from "./message-removal.ts";
import type { RequestsDocument } from "./request-store.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";

const AT_ONCE = 100;
const BODIES_AT_ONCE = 500;
const REQUESTS_AT_ONCE = 500;

/** One page of expired data. */
export interface Expired {
  readonly removed: number;
  /** Start of the next page; undefined: this was the last page. */
  readonly after: string | undefined;
}

type Dated = Removable & Pick<MessageDocument, "updatedAt" | "expireAt">;

/** Removes expired data of one account, oldest first. Waiting messages are not finished, and stay. */
export function createRetentionSteps(db: Db) {
  const messages = db.collection<MessageDocument>("messages");
  const contents = db.collection<ContentDocument>("contents");
  const captured = db.collection<SandboxDocument>("sandboxMessages");
  const requests = db.collection<RequestsDocument>("requests");
  const removal = createMessageRemoval(db);
  const chunks = createChunkStore(db);

  /** Filter for data accepted before a time, after the previous page. */
  const accepted = (accountId: string, before: Date, after: string | undefined) => ({
    accountId,
    _id: { $lt: idBound("msg", before), ...(after !== undefined && { $gt: after }) },
  });

  function pageOf(found: readonly { readonly _id: string }[], limit: number): string | undefined {
    return found.length < limit ? undefined : found.at(-1)?._id;
  }

  return {
    /** Messages that were finished before a time, with their bodies and events. */
    async removeMessages(accountId: string, before: Date, after: string | undefined): Promise<Expired> {
      const projection = { ...REMOVABLE, updatedAt: 1, expireAt: 1 };
      const page = messages.find(accepted(accountId, before, after), { projection });
      const found: Dated[] = await guarded(page.sort({ _id: 1 }).limit(AT_ONCE).toArray());
      const gone = found.filter(
        ({ expireAt, updatedAt, nextAttemptAt }) =>
          expireAt !== undefined && nextAttemptAt === undefined && updatedAt <= before,
      );
      if (gone.length > 0) {
        const removing = inTransaction(db.client, (session) =>
          removal.remove(accountId, gone, { session, keepShared: true }),
        );
        await guarded(removing);
      }
      return { removed: gone.length, after: pageOf(found, AT_ONCE) };
    },

    /** Bodies of finished messages that were accepted before a time. Other bodies are removed with their messages. */
    async removeBodies(accountId: string, before: Date, after: string | undefined): Promise<Expired> {
      const projection = { traceId: 1, contentId: 1, expireAt: 1 };
      const page = messages.find(accepted(accountId, before, after), { projection });
      const found = await guarded(page.sort({ _id: 1 }).limit(BODIES_AT_ONCE).toArray());
      const finished = found.filter(
        ({ expireAt, contentId }) => expireAt !== undefined && contentId !== undefined,
      );
      const ids = [...new Set(finished.map(({ contentId }) => contentId))];
      if (ids.length > 0) {
        const traceIds = [...new Set(finished.map(({ traceId }) => traceId))];
        const waiting = { traceId: { $in: traceIds }, accountId, expireAt: { $exists: false } };
        const users = await guarded(messages.find(waiting, { projection: { contentId: 1 } }).toArray());
        const needed = new Set(users.map(({ contentId }) => contentId));
        const gone = ids.filter((id) => !needed.has(id));
        const names = { ...allNamed(gone.map((id) => ({ _id: id, bucket: bucketOf(id) }))), accountId };
        const bodies = await guarded(contents.find(names, { projection: { chunkCount: 1 } }).toArray());
        for (const { _id, chunkCount = 0 } of bodies)
          if (chunkCount > 0) await chunks.remove(_id, chunkCount);
        await guarded(contents.deleteMany(names));
      }
      return { removed: ids.length, after: found.at(-1)?._id };
    },

    /** Mail that was captured before a time. */
    async removeCaptured(accountId: string, before: Date, after: string | undefined): Promise<Expired> {
      const page = captured.find(accepted(accountId, before, after), { projection: { capturedAt: 1 } });
      const found = await guarded(page.sort({ _id: 1 }).limit(AT_ONCE).toArray());
      const $in = found.filter(({ capturedAt }) => capturedAt <= before).map(({ _id }) => _id);
      if ($in.length > 0) {
        const removing = inTransaction(db.client, (session) =>
          removal.removeCaptured({ _id: { $in }, accountId }, session),
        );
        await guarded(removing);
      }
      return { removed: $in.length, after: pageOf(found, AT_ONCE) };
    },

    /** Requests that were answered before a time. */
    async removeRequests(accountId: string, before: Date): Promise<Expired> {
      const old = { accountId, _id: { $lt: idBound("req", before) } };
      const page = requests.find(old, { projection: { _id: 1 } });
      const found = await guarded(page.sort({ _id: 1 }).limit(REQUESTS_AT_ONCE).toArray());
      const $in = found.map(({ _id }) => _id);
      if ($in.length > 0) await guarded(requests.deleteMany({ _id: { $in }, accountId }));
      return { removed: $in.length, after: pageOf(found, REQUESTS_AT_ONCE) };
    },
  };
}
