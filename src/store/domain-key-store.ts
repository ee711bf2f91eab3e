import type { Db } from "mongodb";
import type { DomainKeyDocument } from "./documents.ts";
import { guarded } from "./store-fault.ts";

export function createDomainKeyStore(db: Db) {
  const keys = db.collection<DomainKeyDocument>("domainKeys");

  return {
    insertMany: (documents: readonly DomainKeyDocument[]) =>
      guarded(keys.insertMany([...documents])).then(() => undefined),

    /** The keys of a domain, those that sign latest first. */
    list: (accountId: string, domain: string): Promise<DomainKeyDocument[]> =>
      guarded(keys.find({ accountId, domain }).sort({ signsFrom: -1, _id: 1 }).toArray()),
  };
}
