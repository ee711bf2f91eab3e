import type { Db, FindCursor, FindOptions } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import { fault } from "../shared/fault.ts";
import type { AuditLog } from "./audit/audit-log.ts";
import { checkRevision } from "./content-revision.ts";
import type { AccountDocument } from "./documents.ts";
import { readEach } from "./read-each.ts";
import { accountRevision } from "./revisions.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";

type AccountId = Pick<AccountDocument, "_id">;

export interface AccountPage {
  /** The last account of the page before; undefined: from the beginning. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** What people are shown of an account, whatever else of it is damaged. */
const SHOWN = { name: 1, createdAt: 1, requiresSecondFactor: 1 } as const;

type Demands = Pick<AccountDocument, "_id" | "requiresSecondFactor">;
const DEMANDS = { requiresSecondFactor: 1 } as const;

/** Nothing else is asked of an account: its name, damaged or not, keeps nobody from sending. */
const ID = { _id: 1 } as const;

export function createAccountStore(db: Db, log: AuditLog) {
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

    /** Its making is in the installation's log, and begins its own. */
    async insert(account: AccountDocument, audit: Audit): Promise<void> {
      const target = targetOf(account);
      const change = { target, before: undefined, after: account };
      const inserting = inTransaction(db.client, async (session) => {
        await accounts.insertOne(account, { session });
        await log.changed(session, "", audit, change);
        await log.changed(session, account._id, audit, change);
      });
      await guarded(inserting);
    },

    find: (id: string) => guarded(accounts.findOne({ _id: id }, { projection: SHOWN })),

    /** Those of some ids that accounts have. */
    async existing(ids: readonly string[]): Promise<string[]> {
      const found = accounts.find({ _id: { $in: [...ids] } }, { projection: ID }).limit(ids.length);
      return ids.length === 0 ? [] : (await guarded(found.toArray())).map(({ _id }) => _id);
    },

    /** What an account asks of the sessions that look at it; null: there is none of this id. */
    demandsOf: (id: string): Promise<Demands | null> =>
      guarded(accounts.findOne({ _id: id }, { projection: DEMANDS })),

    /** Null: there is none of this id. @throws Fault resource.stale */
    requireSecondFactor(
      id: string,
      isRequired: boolean,
      audit: Audit,
      ifRevision?: string,
    ): Promise<AccountDocument | null> {
      const update = isRequired
        ? { $set: { requiresSecondFactor: true as const } }
        : { $unset: { requiresSecondFactor: "" as const } };
      const requiring = inTransaction(db.client, async (session) => {
        const before = await accounts.findOne({ _id: id }, { projection: SHOWN, session });
        if (!before) return null;
        checkRevision(ifRevision, accountRevision(before));
        await accounts.updateOne({ _id: id }, update, { session });
        const { requiresSecondFactor: _, ...kept } = before;
        const after = { ...kept, ...(isRequired && { requiresSecondFactor: true as const }) };
        await log.changed(session, id, audit, { target: targetOf(after), before, after });
        return after;
      });
      return guarded(requiring);
    },

    /** Null: there is none of this id. @throws Fault resource.stale */
    rename(id: string, name: string, audit: Audit, ifRevision?: string): Promise<AccountDocument | null> {
      const renaming = inTransaction(db.client, async (session) => {
        const before = await accounts.findOne({ _id: id }, { projection: SHOWN, session });
        if (!before) return null;
        checkRevision(ifRevision, accountRevision(before));
        const after = { ...before, name };
        await accounts.updateOne({ _id: id }, { $set: { name } }, { session });
        await log.changed(session, id, audit, { target: targetOf(after), before, after });
        return after;
      });
      return guarded(renaming);
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

const targetOf = ({ _id: id, name }: AccountDocument) => ({ kind: "account", id, name }) as const;
