import type { Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { claimDue } from "./claim-due.ts";
import { createErasureCount } from "./erasure-count.ts";
import type { ErasureDocument, ErasureRest, OpenErasure } from "./erasure-document.ts";
import { createErasureOfMessages } from "./erasure-messages.ts";
import { createErasureOfRest } from "./erasure-rest.ts";
import { type ListPage, readPage } from "./list-page.ts";
import type { OfAccount } from "./owner.ts";
import type { SearchStore } from "./search/search-store.ts";
import { termOf } from "./search/terms.ts";
import { guarded } from "./store-fault.ts";

/** Result of an erasure. */
export interface ErasureEnd extends Required<Pick<ErasureDocument, "finishedAt" | "look" | "expireAt">> {
  readonly left: Omit<ErasureRest, "sharedBodies">;
}

/** Maximum number of open erasures of one account. */
const OPEN_MAX = 100;

/** Erasures of single recipients: first jobs, and finally proofs. */
export function createErasureStore(db: Db, writes: AuditedWrites, search: Pick<SearchStore, "forget">) {
  const erasures = db.collection<ErasureDocument>("erasures");
  const audited = writes.of("erasure", erasures);
  const count = createErasureCount(db);
  const open = { heldUntil: { $exists: true } };

  return {
    forAccount: (accountId: string) => ({
      /** @returns the running erasure of this address, if any; `busy`: too many others are running */
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

      /** Whether an erasure of a recipient is running. @param address its comparison key */
      async isOpenFor(address: string): Promise<boolean> {
        const found = erasures.find({ accountId, ...open, address }, { projection: { _id: 1 } });
        return (await guarded(found.limit(1).toArray())).length > 0;
      },

      find: (id: string): Promise<ErasureDocument | null> =>
        guarded(erasures.findOne({ _id: id, accountId })),

      /** Newest first; `after` is the last id of the previous page. */
      list: (page: ListPage) => readPage(erasures, { accountId }, page, "-_id"),

      /** Counts what an erasure would remove now, up to a limit. */
      count: (address: string, now: Date) => count(accountId, address, now),
    }),

    acrossAccounts: {
      /** Claims the next erasure until a time; null: none is due. */
      claim: (now: Date, until: Date) =>
        claimDue(erasures, "heldUntil", now, until) as Promise<OpenErasure | null>,

      /** Extends the claim, or releases it. */
      async hold({ _id }: Pick<OpenErasure, "_id">, until: Date, waiting?: number): Promise<void> {
        const change = { heldUntil: until, ...(waiting !== undefined && { waiting }) };
        await guarded(erasures.updateOne({ _id, ...open }, { $set: change }));
      },

      ...createErasureOfMessages(db),
      ...createErasureOfRest(db),

      /**
       * Removes deleted messages from the search index.
       * @returns false: another process was active, and some entries may be left
       */
      async forgetInIndex({ _id, accountId, address, requestedAt: until }: OpenErasure, now: Date) {
        const terms = [termOf(accountId, "recipient", address)];
        const forgotten = await search.forget({ terms, until, now });
        if (!forgotten) return forgotten !== undefined;
        await guarded(erasures.updateOne({ _id, ...open }, { $inc: { "removed.searchIndex": forgotten } }));
        return true;
      },

      /** Finishes it: the address is removed from the document, and the counts are final. */
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
