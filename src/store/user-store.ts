import type { Db } from "mongodb";
import type { MemberDocument, UserDocument } from "./documents.ts";
import { memberId } from "./member-store.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";

export interface UserPage {
  /** The address of the last user of the page before; undefined: from the beginning. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface NewPassword {
  readonly passwordHash: string;
  readonly mustChangePassword: boolean;
}

/** People, who are of no account by themselves. */
export function createUserStore(db: Db) {
  const users = db.collection<UserDocument>("users");
  const members = db.collection<MemberDocument>("members");

  return {
    /**
     * Makes a user who belongs to an account. Somebody with that address who is there already joins it as he is.
     * @returns the user as stored, and `joined` false when he belonged to the account before: nothing was changed
     */
    async add(
      user: UserDocument,
      memberOf: (userId: string) => MemberDocument,
    ): Promise<{ readonly user: UserDocument; readonly joined: boolean }> {
      const adding = inTransaction(
        db.client,
        async (session) => {
          const known = await users.findOne({ email: user.email }, { session });
          if (!known) await users.insertOne(user, { session });
          const member = memberOf((known ?? user)._id);
          if (await members.findOne({ _id: member._id }, { session }))
            return { user: known ?? user, joined: false };
          await members.insertOne(member, { session });
          return { user: known ?? user, joined: true };
        },
        { retryDuplicates: true },
      );
      return guarded(adding);
    },

    /** The user of an early release owns the account that he was of. Doing it again changes nothing. */
    async settleFormer({ _id: userId, accountId, createdAt }: UserDocument): Promise<void> {
      if (accountId === undefined) return;
      const member = { accountId, userId, role: "owner", createdAt } as const;
      const _id = memberId(accountId, userId);
      await guarded(members.updateOne({ _id }, { $setOnInsert: member }, { upsert: true }));
      await guarded(users.updateOne({ _id: userId }, { $unset: { accountId: "" } }));
    },

    findByEmail: (email: string) => guarded(users.findOne({ email })),
    findById: (id: string) => guarded(users.findOne({ _id: id })),
    findByIds: (ids: readonly string[]) => guarded(users.find({ _id: { $in: [...ids] } }).toArray()),

    /** By address. */
    list({ after, limit }: UserPage): Promise<UserDocument[]> {
      const filter = after === undefined ? {} : { email: { $gt: after } };
      return guarded(users.find(filter).sort({ email: 1 }).limit(limit).toArray());
    },

    /** Replaces a password, as long as it is the one that `former` is the hash of; false: it was replaced meanwhile. */
    async setPassword(
      { _id, passwordHash: former }: Pick<UserDocument, "_id" | "passwordHash">,
      { passwordHash, mustChangePassword }: NewPassword,
    ): Promise<boolean> {
      const changes = mustChangePassword
        ? { $set: { passwordHash, mustChangePassword: true as const } }
        : { $set: { passwordHash }, $unset: { mustChangePassword: "" as const } };
      const { matchedCount } = await guarded(users.updateOne({ _id, passwordHash: former }, changes));
      return matchedCount === 1;
    },
  };
}
