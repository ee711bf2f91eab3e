import type { Db, FindOptions } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import type { UserDocument } from "./documents.ts";
import { settleFormer } from "./migrations/3-members.ts";
import { readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";

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
export function createUserStore(db: Db, writes: AuditedWrites) {
  const users = db.collection<UserDocument>("users");
  const audited = writes.of("user", users);

  return {
    /** The user of an early release owns the account that he was of. Doing it again changes nothing. */
    settleFormer: (user: UserDocument) => guarded(settleFormer(db, user)),

    findByEmail: (email: string) => guarded(users.findOne({ email })),
    findById: (id: string) => guarded(users.findOne({ _id: id })),
    /** Those that can be read. */
    async findByIds(ids: readonly string[]): Promise<UserDocument[]> {
      const find = (options: FindOptions) => users.find({ _id: { $in: [...ids] } }, options);
      return (await readEach<UserDocument>(find)).documents;
    },

    /** By address, those that can be read. */
    async list({ after, limit }: UserPage): Promise<UserDocument[]> {
      const filter = after === undefined ? {} : { email: { $gt: after } };
      const find = (options: FindOptions) => users.find(filter, options).sort({ email: 1 }).limit(limit);
      return (await readEach<UserDocument>(find)).documents;
    },

    /**
     * Replaces a password, as long as it is the one that `former` is the hash of; false: it was replaced meanwhile.
     * @param accountId in whose log that is, besides the user's own list; empty: the installation's
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
