import type { ClientSession, Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedChange } from "./audit/audit-log.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import type { SessionDocument } from "./documents.ts";
import { openTotp, type StoredTotp, sealTotp, TOTP_SECRETS } from "./sealing/sealed-totp.ts";
import type { Sealing } from "./sealing/sealing.ts";
import { guarded } from "./store-fault.ts";
import type { RecoveryCodeDocument, TotpDocument } from "./user-documents.ts";

/** Owner of a factor, and the account with the log that also records its changes; empty: the installation's log. */
export type Holder = Pick<SessionDocument, "userId" | "email" | "accountId">;

export interface FactorStoreOptions {
  readonly sealing: Sealing;
  readonly writes: AuditedWrites;
}

/** Second factors of users other than passkeys: one authenticator app each, and recovery codes. */
export function createFactorStore(db: Db, { sealing, writes }: FactorStoreOptions) {
  const totps = db.collection<StoredTotp>(TOTP_SECRETS);
  const recoveryCodes = db.collection<RecoveryCodeDocument>("recoveryCodes");

  async function noted(
    session: ClientSession,
    {
      kind,
      ...change
    }: { readonly kind: "totp" | "recovery_codes" } & Pick<AuditedChange, "before" | "after">,
    { userId, email: name, accountId }: Holder,
    audit: Audit,
  ): Promise<void> {
    const target = { kind, id: userId, name } as const;
    await writes.note(session, accountId, audit, { target, ...change, userId });
  }

  return {
    /** Confirmed or not. */
    async findTotp(userId: string): Promise<TotpDocument | null> {
      const found = await guarded(totps.findOne({ _id: userId }));
      return found && openTotp(sealing, found);
    },

    /** Whether a confirmed one exists, without decryption. */
    async hasTotp(userId: string): Promise<boolean> {
      const filter = { _id: userId, confirmedAt: { $exists: true } };
      return (await guarded(totps.findOne(filter, { projection: { _id: 1 } }))) !== null;
    },

    /** The users among these with a confirmed one. */
    async usersWithTotp(userIds: readonly string[]): Promise<ReadonlySet<string>> {
      const filter = { _id: { $in: [...userIds] }, confirmedAt: { $exists: true } };
      const found = totps.find(filter, { projection: { _id: 1 } }).limit(userIds.length);
      return new Set((await guarded(found.toArray())).map(({ _id }) => _id));
    },

    /**
     * Stores a secret for confirmation, and replaces an unconfirmed one.
     * @returns false: a confirmed one exists, and nothing was changed
     */
    beginTotp(totp: TotpDocument): Promise<boolean> {
      const { _id, ...fields } = sealTotp(sealing, totp);
      return writes.transact(async (session) => {
        const former = await totps.findOne({ _id }, { projection: { confirmedAt: 1 }, session });
        if (former?.confirmedAt) return false;
        await totps.replaceOne({ _id }, fields, { upsert: true, session });
        return true;
      });
    },

    /** Confirms the secret with the code of this time step; false: the secret no longer exists. */
    confirmTotp(
      { _id, createdAt }: TotpDocument,
      step: number,
      holder: Holder,
      audit: Audit,
    ): Promise<boolean> {
      return writes.transact(async (session) => {
        const confirmedAt = audit.now();
        const { matchedCount } = await totps.updateOne(
          { _id, createdAt, confirmedAt: { $exists: false } },
          { $set: { confirmedAt, lastStep: step }, $unset: { expireAt: "" } },
          { session },
        );
        if (matchedCount === 0) return false;
        const change = { before: undefined, after: { _id, confirmedAt } };
        await noted(session, { kind: "totp", ...change }, holder, audit);
        return true;
      });
    },

    /**
     * Consumes the code of a time step and all earlier ones; false: it was consumed before, or the secret has
     * changed.
     */
    async useStep({ _id, createdAt }: TotpDocument, step: number): Promise<boolean> {
      const { matchedCount } = await guarded(
        totps.updateOne(
          { _id, createdAt, confirmedAt: { $exists: true }, lastStep: { $not: { $gte: step } } },
          { $set: { lastStep: step } },
        ),
      );
      return matchedCount === 1;
    },

    /** False: there was none. */
    removeTotp(holder: Holder, audit: Audit): Promise<boolean> {
      return writes.transact(async (session) => {
        const removed = await totps.findOneAndDelete({ _id: holder.userId }, { session });
        if (!removed) return false;
        const { _id, confirmedAt } = removed;
        const before = { _id, ...(confirmedAt && { confirmedAt }) };
        await noted(session, { kind: "totp", before, after: undefined }, holder, audit);
        return true;
      });
    },

    /** Replaces all codes of the user, stored as hashes. */
    async putRecoveryCodes(
      holder: Holder,
      hashes: readonly string[],
      createdAt: Date,
      audit: Audit,
    ): Promise<void> {
      const { userId } = holder;
      const documents = hashes.map((hash) => ({ _id: codeId(userId, hash), userId, createdAt }));
      await writes.transact(async (session) => {
        const { deletedCount } = await recoveryCodes.deleteMany({ userId }, { session });
        if (documents.length > 0) await recoveryCodes.insertMany(documents, { session });
        if (deletedCount + documents.length === 0) return;
        const [before, after] = [
          { count: deletedCount, hashes: [] },
          { count: documents.length, hashes },
        ];
        await noted(session, { kind: "recovery_codes", before, after }, holder, audit);
      });
    },

    /** Number of remaining codes. */
    async countRecoveryCodes(userId: string): Promise<number> {
      const left = recoveryCodes.find({ userId }, { projection: { _id: 1 } });
      return (await guarded(left.toArray())).length;
    },

    /** Consumes a code; false: there is none with this hash. */
    async useRecoveryCode(userId: string, hash: string): Promise<boolean> {
      return (await guarded(recoveryCodes.deleteOne({ _id: codeId(userId, hash) }))).deletedCount === 1;
    },
  };
}

function codeId(userId: string, hash: string): string {
  return `${userId}.${hash}`;
}
