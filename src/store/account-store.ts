import type { Db } from "mongodb";
import { fault } from "../shared/fault.ts";
import type { AccountDocument, UserDocument } from "./documents.ts";
import { guarded } from "./store-fault.ts";

export function createAccountStore(db: Db) {
  const accounts = db.collection<AccountDocument>("accounts");
  const users = db.collection<UserDocument>("users");

  return {
    /** Makes an account with its first user. */
    async insert(account: AccountDocument, user: UserDocument): Promise<void> {
      // The user of an attempt that crashed before its account is replaced.
      const { _id, ...fields } = user;
      await guarded(
        users.updateOne({ email: user.email }, { $set: fields, $setOnInsert: { _id } }, { upsert: true }),
      );
      await guarded(accounts.insertOne(account));
    },

    async isEmpty(): Promise<boolean> {
      return (await guarded(accounts.findOne({}))) === null;
    },

    /**
     * The account of this id; for an empty id the only one there is.
     * @throws Fault account.unknown
     */
    async resolve(accountId: string): Promise<AccountDocument> {
      const filter = accountId === "" ? {} : { _id: accountId };
      const [found, another] = await guarded(accounts.find(filter).limit(2).toArray());
      if (found && !another) return found;
      throw fault("account.unknown", {
        public: found
          ? "This installation has several accounts: name one."
          : `There is no account ${accountId || "yet"}.`,
      });
    },
  };
}
