import type { Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { claimDue } from "./claim-due.ts";
import { createErasureCount } from "./erasure-count.ts";
import type { ErasureDocument, ErasureRest, OpenErasure } from "./erasure-document.ts";
import { createErasureOfMessages } from "./erasure-messages.ts";
import { createErasureOfRest } from "./erasure-rest.ts";
import { type ListPage, readPage } from "./list-page.ts";
import type { SearchStore } from "./search/search-store.ts";
import { termOf } from "./search/terms.ts";
import { guarded } from "./store-fault.ts";
import type { OfAccount } from "./whose.ts";

/** How an erasure ended. */
export interface ErasureEnd extends Required<Pick<ErasureDocument, "finishedAt" | "look" | "expireAt">> {
  readonly left: Omit<ErasureRest, "sharedBodies">;
}

/** More are not begun for one account before one of them is over. */
const OPEN_MAX = 100;

/** What was removed about single recipients, or is being removed: the job, and in the end the proof. */
export function createErasureStore(db: Db, writes: AuditedWrites, search: Pick<SearchStore, "forget">) {
  const erasures = db.collection<ErasureDocument>("erasures");
  const audited = writes.of("erasure", erasures);
  const count = createErasureCount(db);
  const open = { heldUntil: { $exists: true } };

  return {
    forAccount: (accountId: string) => ({
      /**
       * @returns the erasure of this address that is under way, if there is one; `busy`: too many others are
       */
      begin: (erasure: OfAccount<OpenErasure>, audit: Audit): Promise<ErasureDocument | "busy"> =>
        writes.transact(
          async (session) => {
            const current = await erasures
              .find({ accountId, ...open }, { session })
              .limit(OPEN_MAX)
              .toArray();
            const same = current.find(
              ({ address, keepSuppressed }) =>
                address === erasure.address && keepSuppressed === erasure.keepSuppressed,
            );
            if (same) return same;
            if (current.length >= OPEN_MAX) return "busy";
            return audited.insert(session, audit, { ...erasure, accountId });
          },
          { retryDuplicates: false },
        ),

      /** Whether one is under way about a recipient. @param address its comparison key */
      async isOpenFor(address: string): Promise<boolean> {
        const found = erasures.find({ accountId, ...open, address }, { projection: { _id: 1 } });
        return (await guarded(found.limit(1).toArray())).length > 0;
      },

      find: (id: string): Promise<ErasureDocument | null> =>
        guarded(erasures.findOne({ _id: id, accountId })),

      /** Newest first: `after` is the last id of the page before. */
      list: (page: ListPage) => readPage(erasures, { accountId }, page, "-_id"),

      /** What an erasure would remove now, as far as it is looked at. */
      count: (address: string, now: Date) => count(accountId, address, now),
    }),

    acrossAccounts: {
      /** Takes the erasure whose turn it is, until then; null: nobody's is. */
      claim: (now: Date, until: Date) =>
        claimDue(erasures, "heldUntil", now, until) as Promise<OpenErasure | null>,

      /** Keeps it from others for longer, or lets it go. */
      async hold({ _id }: Pick<OpenErasure, "_id">, until: Date, waiting?: number): Promise<void> {
        const change = { heldUntil: until, ...(waiting !== undefined && { waiting }) };
        await guarded(erasures.updateOne({ _id, ...open }, { $set: change }));
      },

      ...createErasureOfMessages(db),
      ...createErasureOfRest(db),

      /**
       * Takes messages out of the index of searches that are there no more.
       * @returns false: another process was in the way, and some may be left
       */
      async forgetInIndex({ _id, accountId, address, requestedAt: until }: OpenErasure, now: Date) {
        const terms = [termOf(accountId, "recipient", address)];
        const forgotten = await search.forget({ terms, until, now });
        if (!forgotten) return forgotten !== undefined;
        await guarded(erasures.updateOne({ _id, ...open }, { $inc: { "removed.searchIndex": forgotten } }));
        return true;
      },

      /** Closes it: the address is in it no more, and the counts are final. */
      finish: ({ _id }: OpenErasure, { left, ...ended }: ErasureEnd, audit: Audit): Promise<void> =>
        writes.transact(async (session) => {
          const before = await erasures.findOne({ _id, ...open }, { session });
          if (!before) return;
          const { address: _address, heldUntil: _until, ...rest } = before;
          const after = { ...rest, ...ended, left: { ...before.left, ...left }, waiting: 0 };
          await audited.update(session, audit, before, after);
        }),
    },
  };
}
