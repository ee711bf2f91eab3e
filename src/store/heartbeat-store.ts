import type { Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import { Fault, fault } from "../shared/fault.ts";
import type { AccountTransactions } from "./account-transactions.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { checkRevision } from "./content-revision.ts";
import { count, createShapeFault, date, fields, filled, listOf, optional } from "./field-checks.ts";
import type { HeartbeatDocument, HeartbeatPingDocument } from "./heartbeat-documents.ts";
import type { NoteHeartbeat } from "./journal/note-deliveries.ts";
import { type ListPage, readPage } from "./list-page.ts";
import { type Found, readEach } from "./read-each.ts";
import { heartbeatRevision } from "./revisions.ts";
import { guarded, isDuplicateKey } from "./store-fault.ts";

/** Maximum number of heartbeats of one account. */
export const MAX_HEARTBEATS = 1_000;
/** Number of stored pings of one heartbeat. */
export const KEPT_PINGS = 200;

type Writable = Omit<HeartbeatDocument, "accountId">;

export function createHeartbeatStore(
  db: Db,
  writes: AuditedWrites,
  {
    transact,
    noteHeartbeat,
  }: { readonly transact: AccountTransactions; readonly noteHeartbeat: NoteHeartbeat },
) {
  const heartbeats = db.collection<HeartbeatDocument>("heartbeats");
  const pings = db.collection<HeartbeatPingDocument>("heartbeatPings");
  const audited = writes.of("heartbeat", heartbeats, heartbeatRevision);

  return {
    forAccount: (accountId: string) => ({
      find: (id: string) => guarded(heartbeats.findOne({ _id: id, accountId })),

      /** The latest first. */
      list: (page: ListPage) => readPage(heartbeats, { accountId }, page, "-_id"),

      /** @throws Fault heartbeat.too_many */
      async add(heartbeat: Writable, audit: Audit): Promise<HeartbeatDocument> {
        const added = await transact(accountId, async (session) => {
          const options = { session, limit: MAX_HEARTBEATS };
          if ((await heartbeats.countDocuments({ accountId }, options)) >= MAX_HEARTBEATS)
            throw fault("heartbeat.too_many");
          return audited.insert(session, audit, { ...heartbeat, accountId });
        });
        noteHeartbeat(accountId, heartbeat._id);
        return added;
      },

      /**
       * Changes settings or state with an audit entry.
       * @returns null: there is none
       * @throws Fault resource.stale
       */
      async change(
        id: string,
        audit: Audit,
        work: (before: HeartbeatDocument) => HeartbeatDocument,
        ifRevision?: string,
      ): Promise<HeartbeatDocument | null> {
        const changed = await audited.change(
          { _id: id, accountId },
          audit,
          (before) => {
            const after = work(before);
            return after === before ? before : { ...after, revision: before.revision + 1 };
          },
          { ifRevision },
        );
        if (changed) noteHeartbeat(accountId, id);
        return changed;
      },

      /**
       * Removes a heartbeat with its pings, in the state in which it was read.
       * @returns false: it has changed since, or there is none
       * @throws Fault resource.stale
       */
      async remove(
        { _id, revision }: Pick<HeartbeatDocument, "_id" | "revision">,
        audit: Audit,
        ifRevision?: string,
      ): Promise<boolean> {
        const isRemoved = await writes.transact(async (session) => {
          const before = await heartbeats.findOne({ _id, accountId, revision }, { session });
          if (!before) return false;
          checkRevision(ifRevision, heartbeatRevision(before));
          await audited.remove(session, audit, before);
          await pings.deleteMany({ accountId, heartbeatId: _id }, { session });
          return true;
        });
        if (isRemoved) noteHeartbeat(accountId, _id);
        return isRemoved;
      },

      /** Writes progress. False: the heartbeat has changed since it was read, and nothing was written. */
      async advance(before: HeartbeatDocument, after: HeartbeatDocument): Promise<boolean> {
        const { _id, revision } = before;
        const replacement = { ...after, accountId, revision: revision + 1 };
        const result = await guarded(heartbeats.replaceOne({ _id, accountId, revision }, replacement));
        const isWritten = result.matchedCount === 1;
        if (isWritten) noteHeartbeat(accountId, _id);
        return isWritten;
      },

      /** Records a ping in place of the one before the last `KEPT_PINGS`. */
      async notePing(ping: Omit<HeartbeatPingDocument, "_id" | "accountId">): Promise<void> {
        const _id = `${ping.heartbeatId}.${ping.number % KEPT_PINGS}`;
        const older = { _id, accountId, number: { $lt: ping.number } };
        const stored: HeartbeatPingDocument = { ...ping, _id, accountId };
        try {
          await guarded(pings.replaceOne(older, stored, { upsert: true }));
        } catch (error) {
          // A later ping has taken the place.
          if (!(error instanceof Fault && isDuplicateKey(error.cause))) throw error;
        }
      },

      /** The latest first. @param before number of a ping; undefined: from the latest on */
      listPings(heartbeatId: string, { before, limit }: PingPage): Promise<HeartbeatPingDocument[]> {
        const earlier = before !== undefined && { number: { $lt: before } };
        const found = pings
          .find({ accountId, heartbeatId, ...earlier })
          .sort({ number: -1 })
          .limit(limit);
        return guarded(found.toArray());
      },
    }),

    acrossAccounts: {
      findByToken: (tokenHash: string) => guarded(heartbeats.findOne({ tokenHash })),

      /** Heartbeats with a due action, the longest waiting first. */
      listDue: (now: Date, limit: number): Promise<Found<HeartbeatDocument>> =>
        readEach<HeartbeatDocument>(
          (options) =>
            heartbeats
              .find({ dueAt: { $lte: now } }, options)
              .sort({ dueAt: 1 })
              .limit(limit),
          shapeFault,
        ),

      /** Claims a due heartbeat until a time. False: another worker has claimed it, or it has changed. */
      async claim({ _id, accountId, dueAt, revision }: HeartbeatDocument, until: Date): Promise<boolean> {
        if (!dueAt) return false;
        const unclaimed = { _id, accountId, dueAt, revision };
        const result = await guarded(heartbeats.updateOne(unclaimed, { $set: { dueAt: until } }));
        return result.matchedCount === 1;
      },

      /** Skips an unusable heartbeat until a time, so that it does not delay others. */
      async putOff(_id: string, until: Date): Promise<void> {
        await guarded(heartbeats.updateOne({ _id, dueAt: { $lt: until } }, { $set: { dueAt: until } }));
      },
    },
  };
}

interface PingPage {
  readonly before?: number | undefined;
  readonly limit: number;
}

const shapeFault = createShapeFault<HeartbeatDocument>([
  ["_id", filled],
  ["accountId", filled],
  ["name", filled],
  ["schedule", fields],
  ["graceMs", count],
  ["expectedAt", optional(date)],
  ["lastSuccessAt", optional(date)],
  ["excusedAt", optional(date)],
  ["down", optional(fields)],
  ["changes", count],
  ["pending", listOf(fields)],
  ["revision", count],
]);
