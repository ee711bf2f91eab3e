import type { Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import type { KeyDocument, KeyKind, KeySurface, KeyUsesDocument } from "./documents.ts";
import { type ListPage, readPage } from "./list-page.ts";
import { keyRevision } from "./revisions.ts";
import { guarded } from "./store-fault.ts";
import type { OfAccount } from "./whose.ts";

/** When a key was used, and from where. */
export interface KeyUse {
  readonly keyId: string;
  readonly at: Date;
  /** An IP address; empty: it is not known. */
  readonly from: string;
  readonly by: KeySurface;
}

/** Of 90 days with more processes than anybody starts. */
const MAX_USES = 100_000;

export function createKeyStore(db: Db, writes: AuditedWrites) {
  const keys = db.collection<KeyDocument>("apiKeys");
  const audited = writes.of("key", keys, keyRevision);
  const uses = db.collection<KeyUsesDocument>("keyUses");

  /** By id or by prefix. */
  const named = (accountId: string, idOrPrefix: string) => ({
    accountId,
    $or: [{ _id: idOrPrefix }, { prefix: idOrPrefix }],
  });

  return {
    forAccount: (accountId: string) => {
      return {
        /** @returns the key as it is stored */
        insert: (key: OfAccount<KeyDocument>, audit: Audit): Promise<KeyDocument> =>
          audited.add({ ...key, accountId }, audit),

        /**
         * Newest last, the revoked ones too.
         * @param kind undefined: those of all kinds
         */
        list: (page: ListPage, kind?: KeyKind) =>
          readPage(keys, { accountId, ...(kind && { kind }) }, page, "_id"),

        find: (idOrPrefix: string) => guarded(keys.findOne(named(accountId, idOrPrefix))),

        /** What each process has counted of a key's uses since a day, the latest days first. */
        usesSince: (keyId: string, day: string) =>
          guarded(
            uses
              .find({ accountId, keyId, day: { $gte: day } })
              .sort({ day: -1 })
              .limit(MAX_USES)
              .toArray(),
          ),

        /** By id or by prefix. A key that is revoked already stays as it is. */
        revoke: (idOrPrefix: string, now: Date, audit: Audit) =>
          audited.change(named(accountId, idOrPrefix), audit, (key) =>
            key.revokedAt ? key : { ...key, revokedAt: now },
          ),

        /**
         * Changes what editors can change of a key.
         * @param make the key as it is to be; what it throws is thrown, and nothing is changed
         * @returns null: there is none of this id or prefix
         * @throws Fault resource.stale
         */
        change: (
          idOrPrefix: string,
          make: (key: KeyDocument) => KeyDocument,
          audit: Audit,
          ifRevision?: string,
        ) => audited.change(named(accountId, idOrPrefix), audit, make, { ifRevision }),

        /** Gives a key another name; null: there is none of this id or prefix. @throws Fault resource.stale */
        rename: (idOrPrefix: string, name: string, audit: Audit, ifRevision?: string) =>
          audited.change(named(accountId, idOrPrefix), audit, (key) => ({ ...key, name }), { ifRevision }),

        /**
         * Puts a key in the place of another one: both writes, or none.
         * @param make the new key and the end of the former one, from that; what it throws is thrown, and nothing is changed
         * @returns undefined: there is none of this id or prefix
         */
        supersede: (
          idOrPrefix: string,
          make: (former: KeyDocument) => { readonly key: OfAccount<KeyDocument>; readonly expiresAt: Date },
          audit: Audit,
        ): Promise<{ readonly key: KeyDocument; readonly former: KeyDocument } | undefined> =>
          writes.transact(
            async (session) => {
              const found = await keys.findOne(named(accountId, idOrPrefix), { session });
              if (!found) return undefined;
              const { key: next, expiresAt } = make(found);
              const key = { ...next, accountId };
              const ended = { ...found, supersededAt: key.createdAt, expiresAt };
              const former = await audited.update(session, audit, found, ended);
              return { key: await audited.insert(session, audit, key), former };
            },
            { retryDuplicates: false },
          ),
      };
    },

    acrossAccounts: {
      /** Whose request it is, is what its key says. */
      findByHash: (hash: string) => guarded(keys.findOne({ hash })),

      /** Notes when keys were last used; what another process has noted of a later use stays. */
      async markUsed(used: readonly KeyUse[]): Promise<void> {
        const operations = used.map(({ keyId: _id, at, from, by }) => ({
          updateOne: {
            filter: { _id, $or: [{ lastUsedAt: { $exists: false } }, { lastUsedAt: { $lt: at } }] },
            update: { $set: { lastUsedAt: at, lastUsedFrom: from, lastUsedBy: by } },
          },
        }));
        if (operations.length > 0) await guarded(keys.bulkWrite(operations, { ordered: false }));
      },

      /** Puts a process's counts in the place of those that it wrote before. */
      async countUses(counted: readonly KeyUsesDocument[]): Promise<void> {
        const operations = counted.map(({ _id, ...counts }) => ({
          updateOne: { filter: { _id }, update: { $set: counts }, upsert: true },
        }));
        if (operations.length > 0) await guarded(uses.bulkWrite(operations, { ordered: false }));
      },
    },
  };
}
