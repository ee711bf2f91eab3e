import type { Db } from "mongodb";
import { fault } from "../shared/fault.ts";
import type { AccountDocument } from "./documents.ts";
import { guarded } from "./store-fault.ts";

type AccountId = Pick<AccountDocument, "_id">;

/** Nothing else is asked of an account: its name, damaged or not, keeps nobody from sending. */
const ID = { _id: 1 } as const;

export function createAccountStore(db: Db) {
  const accounts = db.collection<AccountDocument>("accounts");

  return {
    /**
     * The account of this id; for an empty id the only one there is.
     * @throws Fault account.unknown
     */
    async resolve(accountId: string): Promise<AccountId> {
      const filter = accountId === "" ? {} : { _id: accountId };
      const [found, another] = await guarded(accounts.find(filter, { projection: ID }).limit(2).toArray());
      if (found && !another) return found;
      throw fault("account.unknown", {
        public: found
          ? "This installation has several accounts: name one."
          : `There is no account ${accountId || "yet"}.`,
      });
    },

    /** The one that was made first; null: there is none yet. */
    first: (): Promise<AccountId | null> =>
      guarded(accounts.findOne({}, { sort: { _id: 1 }, projection: ID })),
  };
}
