import type { Db, FindCursor, FindOptions } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import { fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { checkRevision } from "./content-revision.ts";
import type { AccountDocument, MemberDocument, UserDocument } from "./documents.ts";
import { memberChange } from "./member-store.ts";
import type { PolicyDocument } from "./policy-document.ts";
import { readEach } from "./read-each.ts";
import { accountRevision } from "./revisions.ts";
import { guarded } from "./store-fault.ts";

/** Account that a user creates for itself. */
export interface OwnAccount {
  readonly account: AccountDocument;
  readonly member: MemberDocument;
  readonly policy: PolicyDocument;
}

type AccountId = Pick<AccountDocument, "_id">;

export interface AccountPage {
  /** The last account of the previous page; undefined: from the beginning. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Displayed fields of an account, independent of damage in other fields. */
const SHOWN = { name: 1, createdAt: 1, requiresSecondFactor: 1 } as const;

type Demands = Pick<AccountDocument, "_id" | "requiresSecondFactor">;
const DEMANDS = { requiresSecondFactor: 1 } as const;

/** Most callers need only the id, so a damaged name does not block sending. */
const ID = { _id: 1 } as const;

export function createAccountStore(db: Db, writes: AuditedWrites) {
  const accounts = db.collection<AccountDocument>("accounts");
  const audited = writes.of("account", accounts);
  const members = db.collection<MemberDocument>("members");
  const users = db.collection<UserDocument>("users");
  const policies = db.collection<PolicyDocument>("policies");

  /** The readable accounts. A damaged account does not affect others. */
  async function readable(find: (options: FindOptions) => FindCursor): Promise<AccountDocument[]> {
    const shown = (options: FindOptions) => find({ ...options, projection: SHOWN });
    return (await readEach<AccountDocument>(shown)).documents;
  }

  /** Null: there is no account with this id. @throws Fault resource.stale */
  const change = (
    id: string,
    audit: Audit,
    ifRevision: string | undefined,
    make: (before: AccountDocument) => AccountDocument,
  ): Promise<AccountDocument | null> =>
    writes.transact(async (session) => {
      const before = await accounts.findOne({ _id: id }, { projection: SHOWN, session });
      if (!before) return null;
      checkRevision(ifRevision, accountRevision(before));
      return audited.update(session, audit, before, make(before), { accountId: id });
    });

  return {
    /**
     * The account with this id. An empty id means the only account.
     * @throws Fault account.unknown
     */
    async resolve(accountId: string): Promise<AccountId> {
      const filter = accountId === "" ? {} : { _id: accountId };
      const [found, another] = await guarded(accounts.find(filter, { projection: ID }).limit(2).toArray());
      if (found && !another) return found;
      throw fault("account.unknown", {
        public: found
          ? say("installation_several_accounts_name_one")
          : accountId === ""
            ? say("no_account_yet")
            : say("no_account", { id: accountId }),
      });
    },

    /** Its creation is an entry in the installation's log and the first entry in its own. */
    insert: (account: AccountDocument, audit: Audit): Promise<void> =>
      writes.transact(
        async (session) => {
          await audited.insert(session, audit, account, { accountId: "" });
          await audited.note(session, audit, undefined, account, { accountId: account._id });
        },
        { retryDuplicates: false },
      ),

    /**
     * Creates an account with its first policy and its owner, atomically.
     * @param most accounts that a user may own
     * @returns false: the user owns this many already, or no longer exists
     */
    open: ({ account, member, policy }: OwnAccount, most: number, audit: Audit): Promise<boolean> =>
      writes.transact(async (session) => {
        const { userId } = member;
        // Serializes creations of one user: two concurrent counts would both be too low.
        const change = { $inc: { accountChanges: 1 } };
        if ((await users.updateOne({ _id: userId }, change, { session })).matchedCount === 0) return false;
        const owned = members.find({ userId, role: "owner" }, { projection: { _id: 1 }, session });
        if ((await owned.limit(most).toArray()).length >= most) return false;
        const user = await users.findOne({ _id: userId }, { projection: { email: 1 }, session });
        await policies.insertOne(policy, { session });
        await members.insertOne(member, { session });
        await audited.insert(session, audit, account, { accountId: account._id });
        await writes.note(session, account._id, audit, memberChange(user?.email ?? "", undefined, member));
        return true;
      }),

    find: (id: string) => guarded(accounts.findOne({ _id: id }, { projection: SHOWN })),

    /** The ids among these that accounts have. */
    async existing(ids: readonly string[]): Promise<string[]> {
      const found = accounts.find({ _id: { $in: [...ids] } }, { projection: ID }).limit(ids.length);
      return ids.length === 0 ? [] : (await guarded(found.toArray())).map(({ _id }) => _id);
    },

    /** Requirements of an account for its sessions; null: there is no account with this id. */
    demandsOf: (id: string): Promise<Demands | null> =>
      guarded(accounts.findOne({ _id: id }, { projection: DEMANDS })),

    /** Null: there is no account with this id. @throws Fault resource.stale */
    requireSecondFactor: (id: string, isRequired: boolean, audit: Audit, ifRevision?: string) =>
      change(id, audit, ifRevision, ({ requiresSecondFactor: _, ...kept }) => ({
        ...kept,
        ...(isRequired && { requiresSecondFactor: true }),
      })),

    /** Null: there is no account with this id. @throws Fault resource.stale */
    rename: (id: string, name: string, audit: Audit, ifRevision?: string) =>
      change(id, audit, ifRevision, (account) => ({ ...account, name })),

    /** In the order of creation. */
    async list({ after, limit }: AccountPage): Promise<AccountDocument[]> {
      const filter = after === undefined ? {} : { _id: { $gt: after } };
      return readable((options) => accounts.find(filter, options).sort({ _id: 1 }).limit(limit));
    },

    /** The names of the existing accounts among these, by id. */
    async namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const found = await readable((options) => accounts.find({ _id: { $in: [...ids] } }, options));
      return new Map(found.map(({ _id, name }) => [_id, name]));
    },

    /** The account that was created first; null: there is none yet. */
    first: (): Promise<AccountId | null> =>
      guarded(accounts.findOne({}, { sort: { _id: 1 }, projection: ID })),
  };
}
