import type { Db } from "mongodb";
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

  return {
    /** Stores all of them or none: half a pair would sign with one algorithm for ever. */
    async insertMany(documents: readonly DomainKeyDocument[]): Promise<void> {
      const sealed = documents.map((key) => sealDomainKey(sealing, key));
      await guarded(inTransaction(db.client, (session) => keys.insertMany(sealed, { session })));
    },

    /** The keys of a domain, those that sign latest first. */
    async list(accountId: string, domain: string): Promise<DomainKeyDocument[]> {
      const found = await guarded(keys.find({ accountId, domain }).sort({ signsFrom: -1, _id: 1 }).toArray());
      return found.map((key) => openDomainKey(sealing, key));
    },
  };
}
