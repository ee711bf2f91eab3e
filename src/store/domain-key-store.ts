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

/** A key before it is stored: its id follows from what it is. */
export type NewDomainKey = Omit<DomainKeyDocument, "_id" | "accountId">;

export function createDomainKeyStore(db: Db, sealing: Sealing) {
  const stored = db.collection<StoredDomainKey>(DOMAIN_KEYS);
  const seal = (keys: readonly DomainKeyDocument[]) => keys.map((key) => sealDomainKey(sealing, key));

  return {
    forAccount: (accountId: string) => {
      async function find(
        domain: string,
        options: { readonly session?: ClientSession } = {},
      ): Promise<DomainKeyDocument[]> {
        const found = stored.find({ accountId, domain }, options).sort({ signsFrom: -1, _id: 1 });
        return (await found.toArray()).map((key) => openDomainKey(sealing, key));
      }

      return {
        /**
         * Stores the first keys of a domain, all or none; those that it has already win. Their ids are the same whoever
         * makes them, so that of several at once one wins.
         * @returns the keys that the domain has then
         */
        async insertFirst(domain: string, keys: readonly NewDomainKey[]): Promise<DomainKeyDocument[]> {
          const first = keys.map((key) => {
            const _id = `${accountId}.${domain}.first-${key.algorithm}`;
            return { ...key, _id, accountId };
          });
          const inserting = inTransaction(
            db.client,
            async (session) => {
              const found = await find(domain, { session });
              if (found.length > 0) return found;
              await stored.insertMany(seal(first), { session });
              return find(domain, { session });
            },
            { retryDuplicates: true },
          );
          return guarded(inserting);
        },

        /**
         * Stores all of them or none: half a pair would sign with one algorithm for ever.
         * @returns the keys as they are stored
         */
        async insertMany(keys: readonly NewDomainKey[]): Promise<DomainKeyDocument[]> {
          const next = keys.map((key) => {
            const _id = `${accountId}.${key.domain}.${key.selector}`;
            return { ...key, _id, accountId };
          });
          const sealed = seal(next);
          await guarded(inTransaction(db.client, (session) => stored.insertMany(sealed, { session })));
          return next;
        },

        /** The keys of a domain, those that sign latest first. */
        list: (domain: string) => guarded(find(domain)),
      };
    },
  };
}
