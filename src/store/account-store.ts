import type { Db } from "mongodb";
import { fault } from "../shared/fault.ts";
import type { AccountDocument } from "./documents.ts";
import { guarded } from "./store-fault.ts";

export function createAccountStore(db: Db) {
  const accounts = db.collection<AccountDocument>("accounts");

  return {
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

    /** The one that was made first; null: there is none yet. */
    first: () => guarded(accounts.findOne({}, { sort: { _id: 1 } })),
  };
}
