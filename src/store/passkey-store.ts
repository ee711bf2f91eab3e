import { Binary, type Db, type Filter } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { bytesOf } from "./chunk-store.ts";
import { checkRevision } from "./content-revision.ts";
import type { Holder } from "./factor-store.ts";
import { passkeyRevision } from "./revisions.ts";
import { guarded } from "./store-fault.ts";
import type { NewPasskey, PasskeyChallengeDocument, PasskeyDocument } from "./user-documents.ts";

/** Owner of a new passkey. */
type Owned = Pick<PasskeyDocument, "userId" | "name" | "createdAt">;

/** Fields that change with each use. */
export type PasskeyUse = Pick<PasskeyDocument, "counter" | "backedUp"> & { readonly lastUsedAt: Date };

export type FoundPasskey = Omit<PasskeyDocument, "publicKey"> & { readonly publicKey: Uint8Array };

/** More than any user has. */
const LISTED_MAX = 100;

/** Passkeys of users (WebAuthn), and the challenges that they sign. */
export function createPasskeyStore(db: Db, writes: AuditedWrites) {
  const passkeys = db.collection<PasskeyDocument>("passkeys");
  const audited = writes.of("passkey", passkeys, passkeyRevision);
  const challenges = db.collection<PasskeyChallengeDocument>("passkeyChallenges");

  /** False: there was none. @throws Fault resource.stale */
  function removeThose(
    filter: Filter<PasskeyDocument>,
    { accountId }: Holder,
    audit: Audit,
    ifRevision?: string,
  ): Promise<boolean> {
    return writes.transact(async (session) => {
      const found = await passkeys.find(filter, { session }).limit(LISTED_MAX).toArray();
      for (const passkey of found) checkRevision(ifRevision, passkeyRevision(passkey));
      await passkeys.deleteMany(filter, { session });
      for (const passkey of found) await audited.note(session, audit, passkey, undefined, { accountId });
      return found.length > 0;
    });
  }

  return {
    /** False: a passkey with this id exists already. */
    insert(
      { id, publicKey, ...passkey }: NewPasskey & Owned,
      { accountId }: Holder,
      audit: Audit,
    ): Promise<boolean> {
      const document = { _id: id, publicKey: new Binary(publicKey), ...passkey };
      return writes.transact(async (session) => {
        if (await passkeys.findOne({ _id: id }, { projection: { _id: 1 }, session })) return false;
        await audited.insert(session, audit, document, { accountId });
        return true;
      });
    },

    /** With the octets of its key. */
    async find(id: string): Promise<FoundPasskey | undefined> {
      const found = await guarded(passkeys.findOne({ _id: id }));
      return found ? { ...found, publicKey: bytesOf(found.publicKey) } : undefined;
    },

    /** By id. */
    listOfUser: (userId: string) =>
      guarded(passkeys.find({ userId }).sort({ _id: 1 }).limit(LISTED_MAX).toArray()),

    async has(userId: string): Promise<boolean> {
      return (await guarded(passkeys.findOne({ userId }, { projection: { _id: 1 } }))) !== null;
    },

    /** The users among these with a passkey. */
    async usersWithPasskey(userIds: readonly string[]): Promise<ReadonlySet<string>> {
      const filter = { userId: { $in: [...userIds] } };
      const limit = userIds.length * LISTED_MAX + 1;
      const found = await guarded(
        passkeys
          .find(filter, { projection: { userId: 1 } })
          .limit(limit)
          .toArray(),
      );
      if (found.length < limit) return new Set(found.map(({ userId }) => userId));
      // The passkeys of one user may have displaced those of others.
      const users = new Set<string>();
      for (const userId of userIds) if (await this.has(userId)) users.add(userId);
      return users;
    },

    /** null: the user has no such passkey. @throws Fault resource.stale */
    rename: (
      { userId, accountId }: Holder,
      id: string,
      name: string,
      audit: Audit,
      ifRevision?: string,
    ): Promise<PasskeyDocument | null> =>
      audited.change({ _id: id, userId }, audit, (passkey) => ({ ...passkey, name }), {
        accountId,
        ifRevision,
      }),

    /** False: the user has none with this id. @throws Fault resource.stale */
    remove: (holder: Holder, id: string, audit: Audit, ifRevision?: string) =>
      removeThose({ _id: id, userId: holder.userId }, holder, audit, ifRevision),

    removeAll: (holder: Holder, audit: Audit) => removeThose({ userId: holder.userId }, holder, audit),

    /** Records a use; false: another use was recorded concurrently, or the passkey no longer exists. */
    async use({ _id, counter }: Pick<PasskeyDocument, "_id" | "counter">, use: PasskeyUse): Promise<boolean> {
      return (await guarded(passkeys.updateOne({ _id, counter }, { $set: use }))).matchedCount === 1;
    },

    putChallenge: (challenge: PasskeyChallengeDocument) =>
      guarded(challenges.insertOne(challenge)).then(() => undefined),

    /** Consumes a challenge; null: there is no valid one with this id, or it was consumed. */
    takeChallenge: (id: string, now: Date) =>
      guarded(challenges.findOneAndDelete({ _id: id, expireAt: { $gt: now } })),
  };
}
