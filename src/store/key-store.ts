import type { Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import type { KeyDocument, KeyKind, KeySurface, KeyUsesDocument } from "./documents.ts";
import { type ListPage, readPage } from "./list-page.ts";
import type { OfAccount } from "./owner.ts";
import { keyRevision } from "./revisions.ts";
import { guarded } from "./store-fault.ts";

/** Time and origin of a key's use. */
export interface KeyUse {
  readonly keyId: string;
  readonly at: Date;
  /** IP address; empty: unknown. */
  readonly from: string;
  readonly by: KeySurface;
}

/** 90 days with an unrealistic number of processes. */
const MAX_USES = 100_000;

export function createKeyStore(db: Db, writes: AuditedWrites) {
  const keys = db.collection<KeyDocument>("apiKeys");
  const audited = writes.of("key", keys, keyRevision);
  const uses = db.collection<KeyUsesDocument>("keyUses");

  /** Finds a key by id or by prefix. */
  const named = (accountId: string, idOrPrefix: string) => ({
    accountId,
    $or: [{ _id: idOrPrefix }, { prefix: idOrPrefix }],
  });

  return {
    forAccount: (accountId: string) => {
      return {
        /** @returns the stored key */
        insert: (key: OfAccount<KeyDocument>, audit: Audit): Promise<KeyDocument> =>
          audited.add({ ...key, accountId }, audit),

        /**
         * Newest last, including revoked keys.
         * @param kind undefined: all kinds
         */
        list: (page: ListPage, kind?: KeyKind) =>
          readPage(keys, { accountId, ...(kind && { kind }) }, page, "_id"),

        find: (idOrPrefix: string) => guarded(keys.findOne(named(accountId, idOrPrefix))),

        /** Counts of a key's uses since a day, by process, the latest days first. */
        usesSince: (keyId: string, day: string) =>
          guarded(
            uses
              .find({ accountId, keyId, day: { $gte: day } })
              .sort({ day: -1 })
              .limit(MAX_USES)
              .toArray(),
          ),

        /** Revokes a key by id or prefix. A revoked key stays unchanged. */
        revoke: (idOrPrefix: string, now: Date, audit: Audit) =>
          audited.change(named(accountId, idOrPrefix), audit, (key) =>
            key.revokedAt ? key : { ...key, revokedAt: now },
          ),

        /**
         * Changes the editable fields of a key.
         * @param make returns the new key; if it throws, nothing is changed
         * @returns null: there is no key with this id or prefix
         * @throws Fault resource.stale
         */
        change: (
          idOrPrefix: string,
          make: (key: KeyDocument) => KeyDocument,
          audit: Audit,
          ifRevision?: string,
        ) => audited.change(named(accountId, idOrPrefix), audit, make, { ifRevision }),

        /** Renames a key; null: there is none with this id or prefix. @throws Fault resource.stale */
        rename: (idOrPrefix: string, name: string, audit: Audit, ifRevision?: string) =>
          audited.change(named(accountId, idOrPrefix), audit, (key) => ({ ...key, name }), { ifRevision }),

        /**
         * Replaces a key with another one, atomically.
         * @param make returns the new key and the end of the former one; if it throws, nothing is changed
         * @returns undefined: there is no key with this id or prefix
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
      /** The key determines the owner of a request. */
      findByHash: (hash: string) => guarded(keys.findOne({ hash })),

      /** Records the last uses of keys. A later use that another process has recorded stays. */
      async markUsed(used: readonly KeyUse[]): Promise<void> {
        const operations = used.map(({ keyId: _id, at, from, by }) => ({
          updateOne: {
            filter: { _id, $or: [{ lastUsedAt: { $exists: false } }, { lastUsedAt: { $lt: at } }] },
            update: { $set: { lastUsedAt: at, lastUsedFrom: from, lastUsedBy: by } },
          },
        }));
        if (operations.length > 0) await guarded(keys.bulkWrite(operations, { ordered: false }));
      },

      /** Replaces the counts that this process has written before. */
      async countUses(counted: readonly KeyUsesDocument[]): Promise<void> {
        const operations = counted.map(({ _id, ...counts }) => ({
          updateOne: { filter: { _id }, update: { $set: counts }, upsert: true },
        }));
        if (operations.length > 0) await guarded(uses.bulkWrite(operations, { ordered: false }));
      },
    },
  };
}
