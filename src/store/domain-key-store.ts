import type { ClientSession, Db } from "mongodb";
import type { DomainKeyDocument } from "./documents.ts";
import {
  DOMAIN_KEYS,
  openDomainKey,
  type StoredDomainKey,
  sealDomainKey,
} from "./sealing/sealed-domain-key.ts";
import type { Sealing } from "./sealing/sealing.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";

export function createDomainKeyStore(db: Db, sealing: Sealing) {
  const keys = db.collection<StoredDomainKey>(DOMAIN_KEYS);
  const seal = (documents: readonly DomainKeyDocument[]) =>
    documents.map((key) => sealDomainKey(sealing, key));

  async function find(
    accountId: string,
    domain: string,
    options: { readonly session?: ClientSession } = {},
  ): Promise<DomainKeyDocument[]> {
    const found = keys.find({ accountId, domain }, options).sort({ signsFrom: -1, _id: 1 });
    return (await found.toArray()).map((key) => openDomainKey(sealing, key));
  }

  return {
    /**
     * Stores the first keys of a domain, all or none; those that it has already win.
     * @param documents whose ids are the same whoever makes them, so that of several at once one wins
     * @returns the keys that the domain has then
     */
    async insertFirst(
      accountId: string,
      domain: string,
      documents: readonly DomainKeyDocument[],
    ): Promise<DomainKeyDocument[]> {
      const inserting = inTransaction(
        db.client,
        async (session) => {
          const found = await find(accountId, domain, { session });
          if (found.length > 0) return found;
          await keys.insertMany(seal(documents), { session });
          return find(accountId, domain, { session });
        },
        { retryDuplicates: true },
      );
      return guarded(inserting);
    },

    /** Stores all of them or none: half a pair would sign with one algorithm for ever. */
    async insertMany(documents: readonly DomainKeyDocument[]): Promise<void> {
      const sealed = seal(documents);
      await guarded(inTransaction(db.client, (session) => keys.insertMany(sealed, { session })));
    },

    /** The keys of a domain, those that sign latest first. */
    list: (accountId: string, domain: string) => guarded(find(accountId, domain)),
  };
}
