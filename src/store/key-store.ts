import type { ClientSession, Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditLog } from "./audit/audit-log.ts";
import { checkRevision } from "./content-revision.ts";
import type { KeyDocument, KeyKind, KeySurface, KeyUsesDocument } from "./documents.ts";
import { afterPage, type ListPage } from "./list-page.ts";
import { keyRevision } from "./revisions.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";
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

export function createKeyStore(db: Db, log: AuditLog) {
  const keys = db.collection<KeyDocument>("apiKeys");
  const uses = db.collection<KeyUsesDocument>("keyUses");

  /** By id or by prefix. */
  const named = (accountId: string, idOrPrefix: string) => ({
    accountId,
    $or: [{ _id: idOrPrefix }, { prefix: idOrPrefix }],
  });

  return {
    forAccount: (accountId: string) => {
      /** Writes an entry of the audit log beside a change of one key. */
      function noted(
        session: ClientSession,
        audit: Audit,
        before: KeyDocument | undefined,
        after: KeyDocument,
      ): Promise<void> {
        const target = { kind: "key", id: after._id, name: after.name || after.prefix } as const;
        return log.changed(session, accountId, audit, { target, before, after });
      }

      /** Changes some fields of a key; null: there is none of this id or prefix. */
      function change(
        idOrPrefix: string,
        audit: Audit,
        changesOf: (key: KeyDocument) => Partial<KeyDocument>,
      ): Promise<KeyDocument | null> {
        const changing = inTransaction(db.client, async (session) => {
          const before = await keys.findOne(named(accountId, idOrPrefix), { session });
          if (!before) return null;
          const fields = changesOf(before);
          if (Object.keys(fields).length === 0) return before;
          const after = { ...before, ...fields };
          await keys.updateOne({ _id: before._id, accountId }, { $set: fields }, { session });
          await noted(session, audit, before, after);
          return after;
        });
        return guarded(changing);
      }

      return {
        /** @returns the key as it is stored */
        async insert(key: OfAccount<KeyDocument>, audit: Audit): Promise<KeyDocument> {
          const document = { ...key, accountId };
          const inserting = inTransaction(db.client, async (session) => {
            await keys.insertOne(document, { session });
            await noted(session, audit, undefined, document);
          });
          await guarded(inserting);
          return document;
        },

        /**
         * Newest last, the revoked ones too.
         * @param kind undefined: those of all kinds
         */
        list: (page: ListPage, kind?: KeyKind) =>
          guarded(
            keys
              .find({ ...afterPage(accountId, page, "_id"), ...(kind && { kind }) })
              .sort({ _id: 1 })
              .limit(page.limit)
              .toArray(),
          ),

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
          change(idOrPrefix, audit, ({ revokedAt }) => (revokedAt ? {} : { revokedAt: now })),

        /** Gives a key another name; null: there is none of this id or prefix. @throws Fault resource.stale */
        rename: (idOrPrefix: string, name: string, audit: Audit, ifRevision?: string) =>
          change(idOrPrefix, audit, (key) => {
            checkRevision(ifRevision, keyRevision(key));
            return { name };
          }),

        /**
         * Puts a key in the place of another one: both writes, or none.
         * @param make the new key and the end of the former one, from that; what it throws is thrown, and nothing is changed
         * @returns undefined: there is none of this id or prefix
         */
        async supersede(
          idOrPrefix: string,
          make: (former: KeyDocument) => { readonly key: OfAccount<KeyDocument>; readonly expiresAt: Date },
          audit: Audit,
        ): Promise<{ readonly key: KeyDocument; readonly former: KeyDocument } | undefined> {
          const superseding = inTransaction(db.client, async (session) => {
            const found = await keys.findOne(named(accountId, idOrPrefix), { session });
            if (!found) return undefined;
            const { key: next, expiresAt } = make(found);
            const key = { ...next, accountId };
            const former = { ...found, supersededAt: key.createdAt, expiresAt };
            const ending = { $set: { supersededAt: key.createdAt, expiresAt } };
            await keys.updateOne({ _id: found._id, accountId }, ending, { session });
            await keys.insertOne(key, { session });
            await noted(session, audit, found, former);
            await noted(session, audit, undefined, key);
            return { key, former };
          });
          return guarded(superseding);
        },
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
