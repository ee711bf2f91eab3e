import type { Db } from "mongodb";
import { addressKey } from "../message/address/address-key.ts";
import { createEraseFromLog } from "./audit/erase-from-log.ts";
import { readByIds } from "./bucket.ts";
import type { SuppressionDocument } from "./documents.ts";
import type { OpenErasure } from "./erasure-document.ts";
import type { EventLogDocument, UnplacedChangeDocument } from "./event-log.ts";
import type { JobDocument } from "./job-documents.ts";
import type { MessageDocument, QuarantineDocument, SandboxDocument } from "./message-documents.ts";
import { createMessageRemoval, REMOVABLE, type Removable } from "./message-removal.ts";
import { foundIds, pagesById, readEach } from "./read-each.ts";
import { createProvedSteps } from "./removal-proof.ts";
import type { RequestEntry, RequestsDocument } from "./request-store.ts";
import { guarded } from "./store-fault.ts";
import { webhookCollections } from "./webhook-delivery-documents.ts";

const CAPTURED_AT_ONCE = 100;
const NOTES_AT_ONCE = 100;
const ENTRIES_AT_ONCE = 500;
const REQUESTS_AT_ONCE = 100;
const JOBS_AT_ONCE = 100;

/** One page of examined documents. */
export interface ErasedRest {
  readonly count: number;
  readonly found: number;
  /** Start of the next page; undefined: this was the last page. */
  readonly before: string | undefined;
}

/** Removes an account's data about one recipient, except messages. */
export function createErasureOfRest(db: Db) {
  const messages = db.collection<MessageDocument>("messages");
  const captured = db.collection<SandboxDocument>("sandboxMessages");
  const quarantine = db.collection<QuarantineDocument>("quarantine");
  const suppressions = db.collection<SuppressionDocument>("suppressions");
  const requests = db.collection<RequestsDocument>("requests");
  const jobs = db.collection<JobDocument>("jobs");
  const ofJobs = ["jobResults", "jobItems"].map((name) =>
    db.collection<{ _id: string; accountId: string }>(name),
  );
  const { deliveries } = webhookCollections(db);
  const eventLog = db.collection<EventLogDocument>("eventLog");
  const unplaced = db.collection<UnplacedChangeDocument>("unplacedChanges");
  const removal = createMessageRemoval(db);
  const auditLog = createEraseFromLog(db);
  const proved = createProvedSteps(db, "erasures", { heldUntil: { $exists: true } });

  /** All scopes of the address: the prefix of ids. */
  const entriesOf = ({ accountId, address }: Pick<OpenErasure, "accountId" | "address">) => ({
    _id: { $gte: `${accountId}:${address}:`, $lt: `${accountId}:${address};` },
  });

  return {
    /** Captured copies, including those of removed messages. */
    async removeCaptured(
      { _id: id, accountId, address, requestedAt }: OpenErasure,
      before: string | undefined,
    ): Promise<ErasedRest> {
      const range = before === undefined ? {} : { _id: { $lt: before } };
      const projection = { envelopeTo: 1, capturedAt: 1 };
      const { documents, unreadable } = await readEach<SandboxDocument>((options) =>
        captured
          .find({ accountId, ...range }, { projection, ...options })
          .sort({ _id: -1 })
          .limit(CAPTURED_AT_ONCE),
      );
      const found = documents.filter(
        ({ envelopeTo, capturedAt }) =>
          capturedAt <= requestedAt && envelopeTo?.some((one) => addressKey(one) === address),
      );
      if (found.length > 0) {
        const $in = found.map(({ _id }) => _id);
        await proved(id, async (session) => ({
          removed: await removal.removeCaptured({ _id: { $in }, accountId }, session),
        }));
      }
      const ids = foundIds({ documents, unreadable });
      const next = ids.length < CAPTURED_AT_ONCE ? undefined : ids[0];
      return { count: ids.length, found: found.length, before: next };
    },

    /** Notes about unreadable messages, and the messages themselves: only the note may name their recipient. */
    async removeNotes({ _id: id, accountId, address }: OpenErasure): Promise<number> {
      let count = 0;
      const noted = pagesById<QuarantineDocument>(
        (range, options) => quarantine.find({ accountId, ...range }, options).sort({ _id: 1 }),
        NOTES_AT_ONCE,
      );
      for await (const { documents } of noted) {
        const found = documents.filter(({ recipient }) => addressKey(recipient ?? "") === address);
        count += found.length;
        if (found.length > 0) {
          const $in = found.map(({ _id }) => _id);
          const named = messages.find({ _id: { $in }, accountId }, { projection: REMOVABLE });
          const gone: Removable[] = await guarded(named.toArray());
          await proved(id, async (session) => {
            const { removed, shared } = await removal.remove(accountId, gone, { session, keepShared: true });
            const { deletedCount } = await quarantine.deleteMany({ _id: { $in }, accountId }, { session });
            const notes = (removed.quarantine ?? 0) + deletedCount;
            return { removed: { ...removed, quarantine: notes }, left: { sharedBodies: shared } };
          });
        }
      }
      return count;
    },

    /** Jobs that were started for this recipient, with their results. Open jobs have nothing left to do. */
    async removeJobs({ _id: id, accountId, address }: OpenErasure): Promise<void> {
      const started = pagesById<JobDocument>(
        (range, options) => jobs.find({ accountId, ...range }, options).sort({ _id: 1 }),
        JOBS_AT_ONCE,
      );
      for await (const { documents } of started) {
        const $in = documents.filter((job) => isAbout(job, address)).map(({ _id }) => _id);
        if ($in.length > 0) {
          await proved(id, async (session) => {
            const { deletedCount } = await jobs.deleteMany({ _id: { $in }, accountId }, { session });
            for (const job of $in)
              for (const steps of ofJobs) await steps.deleteMany(stepsOf(accountId, job), { session });
            return { removed: { jobs: deletedCount } };
          });
        }
      }
    },

    /** Events for endpoints and services, delivered or pending, about the address only. */
    async removeEvents({ _id: id, accountId, address, requestedAt }: OpenErasure): Promise<void> {
      await proved(id, async (session) => {
        const about = { accountId, addressKey: address, at: { $lte: requestedAt } };
        const { deletedCount } = await deliveries.deleteMany(about, { session });
        const logged = { accountId, "change.addressKey": address, "change.at": { $lte: requestedAt } };
        const { deletedCount: forgotten } = await eventLog.deleteMany(logged, { session });
        const { deletedCount: untold } = await unplaced.deleteMany(logged, { session });
        return { removed: { webhookDeliveries: deletedCount, eventLog: forgotten + untold } };
      });
    },

    /**
     * Removes the address from the suppression list. If an entry is to stay, removes its data about the causing
     * message.
     * @returns the number of remaining entries
     */
    async removeSuppressions(erasure: OpenErasure): Promise<number> {
      const entries = entriesOf(erasure);
      if (erasure.keepSuppressed) {
        const $unset = { messageId: "", detail: "" } as const;
        return (await guarded(suppressions.updateMany(entries, { $unset }))).matchedCount;
      }
      await proved(erasure._id, async (session) => {
        const { deletedCount } = await suppressions.deleteMany(entries, { session });
        return { removed: { suppressions: deletedCount } };
      });
      return 0;
    },

    /** Removes the address from audit log entries, which stay. */
    async eraseFromLog(
      { _id: id, accountId, address }: OpenErasure,
      before: string | undefined,
    ): Promise<ErasedRest> {
      const page = await auditLog.readEntries(accountId, address, { before, limit: ENTRIES_AT_ONCE });
      if (page.found.length > 0) {
        await proved(id, async (session) => ({
          removed: { auditEntriesChanged: await auditLog.erase(page.found, address, session) },
        }));
      }
      return { count: page.count, found: page.found.length, before: page.before };
    },

    /** Removes references to removed messages from the request log, which contains no addresses. */
    async eraseFromRequests(
      { _id: id, accountId }: OpenErasure,
      before: string | undefined,
    ): Promise<Pick<ErasedRest, "before">> {
      const range = before === undefined ? {} : { _id: { $lt: before } };
      const { documents, unreadable } = await readEach<RequestsDocument>((options) =>
        requests
          .find({ accountId, ...range }, options)
          .sort({ _id: -1 })
          .limit(REQUESTS_AT_ONCE),
      );
      const ids = foundIds({ documents, unreadable });
      const namedIds = documents.flatMap(({ entries }) =>
        entries.flatMap(({ messageId }) => messageId ?? []),
      );
      const known = await readByIds(messages, [...new Set(namedIds)], { owner: { accountId } });
      const there = new Set([
        ...known.documents.map(({ _id }) => _id),
        ...known.unreadable.map((one) => one.id),
      ]);
      const isGone = ({ messageId }: RequestEntry) => messageId !== undefined && !there.has(messageId);
      const naming = documents.filter(({ entries }) => entries.some(isGone));
      if (naming.length > 0) {
        const operations = naming.map(({ _id, entries }) => {
          const kept = entries.map((entry) => (isGone(entry) ? withoutMessage(entry) : entry));
          return { updateOne: { filter: { _id, accountId }, update: { $set: { entries: kept } } } };
        });
        const count = naming.reduce((sum, { entries }) => sum + entries.filter(isGone).length, 0);
        await proved(id, async (session) => {
          await requests.bulkWrite(operations, { session });
          return { removed: { requestsChanged: count } };
        });
      }
      return { before: ids.length < REQUESTS_AT_ONCE ? undefined : ids[0] };
    },
  };
}

/** Documents of its steps: their ids begin with the job's id. */
function stepsOf(accountId: string, job: string) {
  return { accountId, _id: { $gte: `${job}.`, $lt: `${job}/` } };
}

/** Whether its request or display data contains the address, in any spelling. */
function isAbout({ params, about }: JobDocument, address: string): boolean {
  const texts = (value: unknown): readonly string[] => {
    if (typeof value === "string") return [value];
    return typeof value === "object" && value !== null ? Object.values(value).flatMap(texts) : [];
  };
  return texts({ params, about }).some((text) => text.includes(address) || addressKey(text) === address);
}

function withoutMessage({ messageId: _, ...entry }: RequestEntry): RequestEntry {
  return entry;
}
