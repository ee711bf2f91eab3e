import type { ClientSession, Db, Filter, FindOptions } from "mongodb";
import { systemAudit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import type {
  AccountDocument,
  FirstRunDocument,
  KeyDocument,
  MemberDocument,
  SenderDocument,
  UserDocument,
} from "./documents.ts";
import { intelCollections } from "./intel-collections.ts";
import type { WorkspaceDocument } from "./intel-documents.ts";
import type { PolicyDocument } from "./policy-document.ts";
import { guarded, isUnreadable } from "./store-fault.ts";

/** Initial contents of a first account. */
export interface FirstAccount {
  readonly account: AccountDocument;
  readonly user: UserDocument;
  readonly member: MemberDocument;
  readonly keys: readonly KeyDocument[];
  readonly sender: SenderDocument;
  readonly policy: PolicyDocument;
  /** Workspace of the deliverability key. */
  readonly workspace: WorkspaceDocument;
}

/** @property workspace undefined: it existed before */
type NotedFirstAccount = Pick<FirstAccount, "account" | "user" | "keys"> & {
  readonly workspace: WorkspaceDocument | undefined;
};

export interface MakeFirstAccount {
  /** Builds the contents: for the existing account and its first workspace; undefined: for a new account. */
  readonly build: (accountId: string | undefined, workspaceId: string | undefined) => FirstAccount;
  /** Credentials that were created before this time and never shown are replaced. */
  readonly abandonedBefore: Date;
}

/** Name of first-run keys. Keys with this name and without an account remain from an interrupted first run. */
export const FIRST_RUN_KEY_NAME = "first run";
const MARK = "first_run";

/** The account that an empty installation creates. */
export function createFirstAccountStore(db: Db, writes: AuditedWrites) {
  const marks = db.collection<FirstRunDocument>("installation");
  const accounts = db.collection<AccountDocument>("accounts");
  const users = db.collection<UserDocument>("users");
  const members = db.collection<MemberDocument>("members");
  const keys = db.collection<KeyDocument>("apiKeys");
  const senders = db.collection<SenderDocument>("senders");
  const policies = db.collection<PolicyDocument>("policies");
  const { workspaces } = intelCollections(db);

  const findKeys = (filter: Filter<KeyDocument>, options: FindOptions) =>
    keys.find(filter, { ...options, projection: { accountId: 1, lastUsedAt: 1, revokedAt: 1 } }).toArray();

  /** Null also if it is unreadable: the keys may then be known. */
  async function findMark(options: FindOptions): Promise<FirstRunDocument | null> {
    try {
      return await marks.findOne({ _id: MARK }, options);
    } catch (error) {
      if (isUnreadable(error)) return null;
      throw error;
    }
  }

  /** The keys that a new first run replaces; undefined: there is an account with known keys. */
  async function findFormer(abandonedBefore: Date, options: FindOptions = {}) {
    if (!(await accounts.findOne({}, { ...options, projection: { _id: 1 } }))) {
      const leftOver = await findKeys({ name: FIRST_RUN_KEY_NAME }, options);
      return { accountId: undefined, keys: leftOver };
    }
    const mark = await findMark(options);
    // Not `>=`: an invalid time must not replace anything either.
    if (!mark || mark.shownAt || !(mark.madeAt < abandonedBefore)) return undefined;
    const { accountId } = mark;
    const unseen = await findKeys({ accountId, name: FIRST_RUN_KEY_NAME }, options);
    if (unseen.some(({ lastUsedAt, revokedAt }) => lastUsedAt || revokedAt)) return undefined;
    return { accountId, keys: unseen };
  }

  /** Audit entries of the first run, at the start of the account's log. */
  async function noted(
    { account, user, workspace, keys: fresh }: NotedFirstAccount,
    session: ClientSession,
  ): Promise<void> {
    const { _id: id, createdAt } = account;
    const audit = systemAudit("account.first_run", "", createdAt);
    const inLog = { accountId: id };
    await writes.entriesOf("account").note(session, audit, undefined, account, inLog);
    await writes.entriesOf("user").note(session, audit, undefined, user, inLog);
    if (workspace) await writes.entriesOf("workspace").note(session, audit, undefined, workspace, inLog);
    for (const key of fresh) await writes.entriesOf("key").note(session, audit, undefined, key, inLog);
  }

  return {
    /** Whether `make` has anything to do. */
    isWanted: async (abandonedBefore: Date) => (await guarded(findFormer(abandonedBefore))) !== undefined,

    /**
     * Stores the first account with its contents, atomically; false: there is an account already. One of several
     * concurrent processes succeeds. Credentials that were never shown nor used are replaced with those of `build`.
     */
    make: ({ build, abandonedBefore }: MakeFirstAccount): Promise<boolean> =>
      writes.transact(async (session) => {
        const former = await findFormer(abandonedBefore, { session });
        if (!former) return false;
        const { accountId } = former;
        const opened = accountId && (await workspaces.findOne({ accountId, first: true }, { session }));
        const first = build(accountId, opened ? opened._id : undefined);
        const { account, user, member, sender, policy, workspace, keys: fresh } = first;
        await keys.deleteMany({ _id: { $in: former.keys.map(({ _id }) => _id) } }, { session });
        const formerUser = await users.findOneAndDelete({ email: user.email }, { session });
        if (formerUser) await members.deleteMany({ userId: formerUser._id }, { session });
        if (accountId === undefined) {
          const leftOver = { accountId: { $in: former.keys.map(({ accountId }) => accountId) } };
          await senders.deleteMany(leftOver, { session });
          await policies.deleteMany(leftOver, { session });
          await workspaces.deleteMany(leftOver, { session });
          await accounts.insertOne(account, { session });
          await senders.insertOne(sender, { session });
          await policies.insertOne(policy, { session });
        }
        if (!opened) await workspaces.insertOne(workspace, { session });
        await users.insertOne(user, { session });
        await members.insertOne(member, { session });
        await keys.insertMany([...fresh], { session });
        // The id is constant: of two concurrent creations, one retries and finds the other.
        await marks.replaceOne(
          { _id: MARK },
          { accountId: account._id, madeAt: account.createdAt },
          { upsert: true, session },
        );
        await noted({ ...first, workspace: opened ? undefined : workspace }, session);
        return true;
      }),

    /** Records that the credentials with this creation time were shown. */
    async markShown(madeAt: Date, at: Date): Promise<void> {
      await guarded(marks.updateOne({ _id: MARK, madeAt }, { $set: { shownAt: at } }));
    },
  };
}
