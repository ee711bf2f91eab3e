import type { Db, FindCursor, FindOptions } from "mongodb";
import { fault } from "../shared/fault.ts";
import type { AccountDocument } from "./documents.ts";
import { readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";

type AccountId = Pick<AccountDocument, "_id">;

export interface AccountPage {
  /** The last account of the page before; undefined: from the beginning. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** What people are shown of an account, whatever else of it is damaged. */
const SHOWN = { name: 1, createdAt: 1 } as const;

/** Nothing else is asked of an account: its name, damaged or not, keeps nobody from sending. */
const ID = { _id: 1 } as const;

export function createAccountStore(db: Db) {
  const accounts = db.collection<AccountDocument>("accounts");

  /** Those that can be read: what is wrong with one keeps the others from nothing. */
  async function readable(find: (options: FindOptions) => FindCursor): Promise<AccountDocument[]> {
    const shown = (options: FindOptions) => find({ ...options, projection: SHOWN });
    return (await readEach<AccountDocument>(shown)).documents;
  }

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

    insert: (account: AccountDocument) => guarded(accounts.insertOne(account)).then(() => undefined),
    find: (id: string) => guarded(accounts.findOne({ _id: id }, { projection: SHOWN })),

    /** False: there is none of this id. */
    async rename(id: string, name: string): Promise<boolean> {
      return (await guarded(accounts.updateOne({ _id: id }, { $set: { name } }))).matchedCount === 1;
    },

    /** In the order in which they were made. */
    async list({ after, limit }: AccountPage): Promise<AccountDocument[]> {
      const filter = after === undefined ? {} : { _id: { $gt: after } };
      return readable((options) => accounts.find(filter, options).sort({ _id: 1 }).limit(limit));
    },

    /** The names of those accounts that there are, by id. */
    async namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const found = await readable((options) => accounts.find({ _id: { $in: [...ids] } }, options));
      return new Map(found.map(({ _id, name }) => [_id, name]));
    },

    /** The one that was made first; null: there is none yet. */
    first: (): Promise<AccountId | null> =>
      guarded(accounts.findOne({}, { sort: { _id: 1 }, projection: ID })),
  };
}
