import type { Db, FindOptions } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import type { UserDocument } from "./documents.ts";
import { settleFormer } from "./migrations/3-members.ts";
import { readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";

export interface UserPage {
  /** Address of the last user of the previous page; undefined: from the beginning. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface NewPassword {
  readonly passwordHash: string;
  readonly mustChangePassword: boolean;
}

/** Users, who belong to no account by themselves. */
export function createUserStore(db: Db, writes: AuditedWrites) {
  const users = db.collection<UserDocument>("users");
  const audited = writes.of("user", users);

  return {
    /** Makes the user of an early release the owner of the user's account. Idempotent. */
    settleFormer: (user: UserDocument) => guarded(settleFormer(db, user)),

    findByEmail: (email: string) => guarded(users.findOne({ email })),
    findById: (id: string) => guarded(users.findOne({ _id: id })),
    /** The readable ones. */
    async findByIds(ids: readonly string[]): Promise<UserDocument[]> {
      const find = (options: FindOptions) => users.find({ _id: { $in: [...ids] } }, options);
      return (await readEach<UserDocument>(find)).documents;
    },

    /** By address. Only readable ones. */
    async list({ after, limit }: UserPage): Promise<UserDocument[]> {
      const filter = after === undefined ? {} : { email: { $gt: after } };
      const find = (options: FindOptions) => users.find(filter, options).sort({ email: 1 }).limit(limit);
      return (await readEach<UserDocument>(find)).documents;
    },

    /**
     * Replaces a password if `former` is still its hash; false: it was replaced concurrently.
     * @param accountId owner of the log entry, in addition to the user's own list; empty: the installation
     */
    async setPassword(
      { _id, passwordHash: former }: Pick<UserDocument, "_id" | "passwordHash">,
      { passwordHash, mustChangePassword }: NewPassword,
      { accountId, audit }: { readonly accountId: string; readonly audit: Audit },
    ): Promise<boolean> {
      const replaced = await audited.change(
        { _id, passwordHash: former },
        audit,
        ({ mustChangePassword: _, ...kept }) => ({
          ...kept,
          passwordHash,
          ...(mustChangePassword && { mustChangePassword }),
        }),
        { accountId },
      );
      return replaced !== null;
    },
  };
}
