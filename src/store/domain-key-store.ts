import type { ClientSession, Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import type { DomainKeyDocument } from "./documents.ts";
import {
  DOMAIN_KEYS,
  openDomainKey,
  type StoredDomainKey,
  sealDomainKey,
} from "./sealing/sealed-domain-key.ts";
import type { Sealing } from "./sealing/sealing.ts";
import { guarded } from "./store-fault.ts";

/** A key before it is stored. Its id is derived from its contents. */
export type NewDomainKey = Omit<DomainKeyDocument, "_id" | "accountId">;

/** Facts that determine which keys sign at a time. */
export type DomainKeyFacts = Pick<DomainKeyDocument, "domain" | "selector" | "algorithm" | "signsFrom">;

export function createDomainKeyStore(db: Db, sealing: Sealing, writes: AuditedWrites) {
  const stored = db.collection<StoredDomainKey>(DOMAIN_KEYS);
  const { note } = writes.entriesOf("domain_key");
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

      /** Stores keys, encrypted, and writes an entry of the audit log for each. */
      async function insert(
        keys: readonly DomainKeyDocument[],
        session: ClientSession,
        audit: Audit,
      ): Promise<void> {
        await stored.insertMany(seal(keys), { session });
        for (const key of keys) await note(session, audit, undefined, key);
      }

      return {
        /**
         * Stores the first keys of a domain, all or none. Existing keys have precedence. Ids do not depend on the
         * caller, so one of several concurrent calls wins.
         * @returns the keys that the domain then has
         */
        insertFirst(
          domain: string,
          keys: readonly NewDomainKey[],
          audit: Audit,
        ): Promise<DomainKeyDocument[]> {
          const first = keys.map((key) => {
            const _id = `${accountId}.${domain}.first-${key.algorithm}`;
            return { ...key, _id, accountId };
          });
          return writes.transact(async (session) => {
            const found = await find(domain, { session });
            if (found.length > 0) return found;
            await insert(first, session, audit);
            return find(domain, { session });
          });
        },

        /**
         * Stores all keys or none: half a pair would sign with one algorithm permanently.
         * @returns the stored keys
         */
        async insertMany(keys: readonly NewDomainKey[], audit: Audit): Promise<DomainKeyDocument[]> {
          const next = keys.map((key) => {
            const _id = `${accountId}.${key.domain}.${key.selector}`;
            return { ...key, _id, accountId };
          });
          await writes.transact((session) => insert(next, session, audit), { retryDuplicates: false });
          return next;
        },

        /** Public facts of the keys of these domains, unordered. */
        listFacts: (domains: readonly string[]): Promise<DomainKeyFacts[]> =>
          guarded(
            stored
              .find<DomainKeyFacts>(
                { accountId, domain: { $in: [...domains] } },
                { projection: { _id: 0, domain: 1, selector: 1, algorithm: 1, signsFrom: 1 } },
              )
              .toArray(),
          ),

        /** Removes keys permanently. */
        remove(domain: string, selectors: readonly string[], audit: Audit): Promise<void> {
          const chosen = { accountId, domain, selector: { $in: [...selectors] } };
          return writes.transact(async (session) => {
            const former = await find(domain, { session });
            await stored.deleteMany(chosen, { session });
            for (const before of former.filter(({ selector }) => selectors.includes(selector)))
              await note(session, audit, before, undefined);
          });
        },

        /** The keys of a domain, the latest start first. */
        list: (domain: string) => guarded(find(domain)),
      };
    },
  };
}
