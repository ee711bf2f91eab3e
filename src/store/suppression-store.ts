import type { Db, Filter } from "mongodb";
import type { SuppressionDocument, SuppressionReason } from "./documents.ts";
import { mergeSuppression, type NewSuppression } from "./merge-suppression.ts";
import { type Found, readEach } from "./read-each.ts";
import { guarded, isDuplicateKey, storeFault } from "./store-fault.ts";

/** One entry: an address within a scope, all mail of the account where no policy is named. */
export interface SuppressionName {
  readonly accountId: string;
  readonly addressKey: string;
  readonly policy?: string | undefined;
}

export interface SuppressionPage {
  readonly accountId: string;
  /** Entries that have ended by now are left out. */
  readonly now: Date;
  readonly limit: number;
  readonly afterId?: string;
  readonly addressKey?: string;
  readonly reason?: SuppressionReason;
}

export type SuppressionStore = ReturnType<typeof createSuppressionStore>;

/** Neither account ids nor names of policies hold a colon: the id is as unique as its parts. */
export function suppressionId({ accountId, addressKey, policy = "" }: SuppressionName): string {
  return `${accountId}:${addressKey}:${policy}`;
}

export function createSuppressionStore(db: Db) {
  const suppressions = db.collection<SuppressionDocument>("suppressions");

  /** One try; false: another writer was faster. */
  async function merge(added: NewSuppression): Promise<SuppressionDocument | undefined> {
    const _id = suppressionId(added);
    const known = await guarded(suppressions.findOne({ _id }));
    if (!known) {
      const document = { _id, ...added };
      return (await insert(document)) ? document : undefined;
    }
    const merged = mergeSuppression(known, added);
    // What merging looks at: as long as it is the same, nothing is lost.
    const { reason, createdAt, expireAt } = known;
    const unchanged = { _id, reason, createdAt, expireAt: expireAt ?? { $exists: false } };
    const result = await guarded(suppressions.replaceOne(unchanged, merged));
    return result.matchedCount === 1 ? merged : undefined;
  }

  async function insert(document: SuppressionDocument): Promise<boolean> {
    try {
      await suppressions.insertOne(document);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw storeFault(error);
    }
  }

  return {
    /**
     * Adds an address, or strengthens the entry that it has: see `mergeSuppression`. Adding it again changes nothing.
     * @returns what is on the list now
     */
    async add(document: NewSuppression): Promise<SuppressionDocument> {
      for (;;) {
        const stored = await merge(document);
        if (stored) return stored;
      }
    },

    /** Takes one entry off the list; null: it was not there, or had ended. */
    async remove(name: SuppressionName, now: Date): Promise<SuppressionDocument | null> {
      return guarded(suppressions.findOneAndDelete({ _id: suppressionId(name), ...live(now) }));
    },

    /** By address. */
    list(page: SuppressionPage): Promise<SuppressionDocument[]> {
      const { accountId, now, limit, afterId, addressKey, reason } = page;
      const filter: Filter<SuppressionDocument> = {
        accountId,
        ...(addressKey !== undefined && { addressKey }),
        ...(reason !== undefined && { reason }),
        ...(afterId !== undefined && { _id: { $gt: afterId } }),
        ...live(now),
      };
      return guarded(suppressions.find(filter).sort({ _id: 1 }).limit(limit).toArray());
    },

    /**
     * Those of the entries that are on the list and have not ended. Asked for by their ids alone: a list of accounts
     * beside one of addresses would look at each pair of them.
     */
    findAmong(names: readonly SuppressionName[], now: Date): Promise<Found<SuppressionDocument>> {
      const ids = [...new Set(names.map(suppressionId))];
      return readEach(
        (options) => suppressions.find({ _id: { $in: ids }, ...live(now) }, options),
        suppressionFault,
      );
    },
  };
}

/** TTL deletion lags by a minute or more: the list is right without it. */
function live(now: Date): Filter<SuppressionDocument> {
  return { $or: [{ expireAt: { $exists: false } }, { expireAt: { $gt: now } }] };
}

/** What the decision about a message relies on. */
function suppressionFault({ reason, createdAt, policy, detail }: SuppressionDocument): string | undefined {
  if (typeof reason !== "string") return "reason: it is no text";
  if (!(createdAt instanceof Date) || Number.isNaN(createdAt.getTime())) return "createdAt: it is no date";
  if (policy !== undefined && typeof policy !== "string") return "policy: it is no text";
  return detail === undefined || typeof detail === "string" ? undefined : "detail: it is no text";
}
