import type { ClientSession, Db, Filter } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditLog } from "./audit/audit-log.ts";
import type { SuppressionDocument, SuppressionReason } from "./documents.ts";
import type { ListPage } from "./list-page.ts";
import { isLive, mergeSuppression, type NewSuppression } from "./merge-suppression.ts";
import { type Found, readEach, type UnreadableDocument } from "./read-each.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";
import type { OfAccount } from "./whose.ts";

/** One entry: an address within a scope, all mail of the account where no policy is named. */
export interface SuppressionName {
  readonly accountId: string;
  readonly addressKey: string;
  readonly policy?: string | undefined;
}

/** In the order of what ids have behind the account's. */
export interface SuppressionPage extends ListPage {
  /** Entries that have ended by now are left out. */
  readonly now: Date;
  readonly addressKey?: string;
  readonly reason?: SuppressionReason;
}

/** `sup_` and a UUID. */
const FORMER_IDS = { $gte: "sup_", $lt: "sup`" } as const;

/** Neither account ids nor names of policies hold a colon: the id is as unique as its parts. */
export function suppressionId({ accountId, addressKey, policy = "" }: SuppressionName): string {
  return `${accountId}:${addressKey}:${policy}`;
}

export function createSuppressionStore(db: Db, log: AuditLog) {
  const suppressions = db.collection<SuppressionDocument>("suppressions");

  async function find(_id: string, session: ClientSession): Promise<Found<SuppressionDocument>> {
    return readEach((options) => suppressions.find({ _id }, { ...options, session }), suppressionFault);
  }

  /** What is on the list then; what it said before, where that can be read. */
  async function merge(
    added: NewSuppression,
    session: ClientSession,
  ): Promise<{ readonly before: SuppressionDocument | undefined; readonly after: SuppressionDocument }> {
    const _id = suppressionId(added);
    const { documents, unreadable } = await find(_id, session);
    const [before] = documents;
    // What a damaged one said is not known, and may have been for ever: the new entry does not end by itself.
    const { expireAt: _, ...lasting } = { _id, ...added };
    const after = before
      ? mergeSuppression(before, added)
      : unreadable.length > 0
        ? lasting
        : { _id, ...added };
    await suppressions.replaceOne({ _id }, after, { upsert: true, session });
    return { before, after };
  }

  async function noted(
    session: ClientSession,
    audit: Audit,
    before: SuppressionDocument | undefined,
    after: SuppressionDocument | undefined,
  ): Promise<void> {
    const { _id: id, address: name, accountId } = (after ?? before) as SuppressionDocument;
    const target = { kind: "suppression", id, name } as const;
    await log.changed(session, accountId, audit, { target, before, after });
  }

  /**
   * Those of the entries that are on the list and have not ended. Asked for by their ids alone: a list of accounts
   * beside one of addresses would look at each pair of them.
   */
  function findAmong(names: readonly SuppressionName[], now: Date): Promise<Found<SuppressionDocument>> {
    const ids = [...new Set(names.map(suppressionId))];
    return readEach(
      (options) => suppressions.find({ _id: { $in: ids }, ...live(now) }, options),
      suppressionFault,
    );
  }

  return {
    /** One entry is asked for by its id, which begins with the account's: a damaged one may not say any more whose it is. */
    forAccount: (accountId: string) => ({
      /**
       * Adds an address, or strengthens the entry that it has: see `mergeSuppression`. Adding it again changes nothing.
       * @returns what is on the list now
       */
      add(entry: OfAccount<NewSuppression>, audit: Audit): Promise<SuppressionDocument> {
        const adding = inTransaction(
          db.client,
          async (session) => {
            const { before, after } = await merge({ ...entry, accountId }, session);
            await noted(session, audit, before, after);
            return after;
          },
          { retryDuplicates: true },
        );
        return guarded(adding);
      },

      /** Takes one entry off the list; null: it was not there, or had ended. */
      remove(name: OfAccount<SuppressionName>, now: Date, audit: Audit): Promise<SuppressionDocument | null> {
        const _id = suppressionId({ ...name, accountId });
        const removing = inTransaction(db.client, async (session) => {
          const { documents, unreadable } = await find(_id, session);
          const [known] = documents;
          const [damaged] = unreadable;
          const entry = damaged ? damagedEntry(damaged) : known && isLive(known, now) ? known : undefined;
          if (!entry) return null;
          await suppressions.deleteOne({ _id }, { session });
          await noted(session, audit, entry, undefined);
          return entry;
        });
        return guarded(removing);
      },

      /** Those of the entries that are on the list and have not ended. */
      findAmong: (names: readonly OfAccount<SuppressionName>[], now: Date) =>
        findAmong(
          names.map((name) => ({ ...name, accountId })),
          now,
        ),

      /** By address. */
      async list(page: SuppressionPage): Promise<SuppressionDocument[]> {
        const { now, limit, after, addressKey, reason } = page;
        const filter: Filter<SuppressionDocument> = {
          accountId,
          ...(addressKey !== undefined && { addressKey }),
          ...(reason !== undefined && { reason }),
          ...(after !== undefined && { _id: { $gt: `${accountId}:${after}` } }),
          ...live(now),
        };
        const { documents, unreadable } = await readEach(
          (options) => suppressions.find(filter, options).sort({ _id: 1 }).limit(limit),
          suppressionFault,
        );
        return [...documents, ...unreadable.map(damagedEntry)].sort((a, b) => (a._id < b._id ? -1 : 1));
      },
    }),

    acrossAccounts: {
      /**
       * Gives entries of a former release, whose ids were random, the ids by which they are found. Doing it again, or at
       * the same time elsewhere, changes nothing more.
       * @returns how many there were
       */
      async renameFormer(): Promise<number> {
        const { documents } = await readEach(
          (options) => suppressions.find({ _id: FORMER_IDS }, options),
          suppressionFault,
        );
        for (const { _id: former, ...entry } of documents) {
          const _id = suppressionId(entry);
          const renaming = inTransaction(
            db.client,
            async (session) => {
              const { deletedCount } = await suppressions.deleteOne({ _id: former }, { session });
              if (deletedCount === 0) return;
              const known = await suppressions.findOne({ _id }, { session });
              const merged = known ? mergeSuppression(known, entry) : { _id, ...entry };
              await suppressions.replaceOne({ _id }, merged, { upsert: true, session });
            },
            { retryDuplicates: true },
          );
          await guarded(renaming);
        }
        return documents.length;
      },

      findAmong,
    },
  };
}

/**
 * TTL deletion lags by a minute or more: the list is right without it. What is no date has not ended: the address may
 * be one to which nobody is to write.
 */
function live(now: Date): Filter<SuppressionDocument> {
  return { expireAt: { $not: { $lte: now } } };
}

/** What the decision about a message relies on. */
function suppressionFault(document: SuppressionDocument): string | undefined {
  const { reason, createdAt, expireAt, policy, detail } = document;
  if (typeof reason !== "string") return "reason: it is no text";
  if (!(createdAt instanceof Date) || Number.isNaN(createdAt.getTime())) return "createdAt: it is no date";
  if (policy !== undefined && typeof policy !== "string") return "policy: it is no text";
  if (expireAt !== undefined && !(expireAt instanceof Date)) return "expireAt: it is no date";
  return detail === undefined || typeof detail === "string" ? undefined : "detail: it is no text";
}

/** What is left of an entry that cannot be read: it holds, and has its place among the others. */
function damagedEntry({ id, reason, fields }: UnreadableDocument): SuppressionDocument {
  const text = (name: string) => {
    const value = fields.get(name);
    return typeof value === "string" ? value : undefined;
  };
  // As `suppressionId` makes it: an address may hold a colon.
  const [, accountId = "", addressKey = "", policy = ""] = /^([^:]*):(.*):([^:]*)$/.exec(id) ?? [];
  const createdAt = fields.get("createdAt");
  return {
    _id: id,
    accountId,
    addressKey,
    address: text("address") ?? addressKey,
    ...(policy !== "" && { policy }),
    reason: "manual",
    detail: `the entry is damaged in the database: ${reason}`,
    createdAt: createdAt instanceof Date ? createdAt : new Date(0),
  };
}
