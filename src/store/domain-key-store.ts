import type { Db } from "mongodb";
import type { DomainKeyDocument } from "./documents.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";

export function createDomainKeyStore(db: Db) {
  const keys = db.collection<DomainKeyDocument>("domainKeys");

  return {
    /** Stores all of them or none: half a pair would sign with one algorithm for ever. */
    async insertMany(documents: readonly DomainKeyDocument[]): Promise<void> {
      await guarded(inTransaction(db.client, (session) => keys.insertMany([...documents], { session })));
    },

    /** The keys of a domain, those that sign latest first. */
    list: (accountId: string, domain: string): Promise<DomainKeyDocument[]> =>
      guarded(keys.find({ accountId, domain }).sort({ signsFrom: -1, _id: 1 }).toArray()),
  };
}
