import type { ClientSession, Db, FindOptions } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedChange } from "./audit/audit-log.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { checkRevision } from "./content-revision.ts";
import type {
  AccountDocument,
  MemberDocument,
  MemberRole,
  SessionDocument,
  UserDocument,
} from "./documents.ts";
import type { ListPage } from "./list-page.ts";
import { readEach } from "./read-each.ts";
import { memberRevision } from "./revisions.ts";
import { guarded } from "./store-fault.ts";

/** Role of a user who joins an account. */
export type NewMember = Pick<MemberDocument, "role" | "createdAt">;

/** `last_owner`: an account keeps one owner, and nothing was changed. */
export type MemberChange = MemberDocument | "unknown" | "last_owner";

export interface MemberPage extends ListPage {
  /** Undefined: all roles. */
  readonly role?: MemberRole | undefined;
}

/** Open sessions of a member in the account. */
export interface OpenSessions {
  /** At most `MAX_COUNTED_SESSIONS`. */
  readonly count: number;
  /** Latest use of one of them. */
  readonly seenAt: Date;
}

/** More sessions of one member are not counted. */
export const MAX_COUNTED_SESSIONS = 100;

/** More accounts than a user ever views. */
const MEMBERSHIPS_MAX = 1_000;

export function memberId(accountId: string, userId: string): string {
  return `${accountId}.${userId}`;
}

/** Audit entry for the change of a member, named by the user's address. The user's own list also contains it. */
export function memberChange(
  email: string,
  before: MemberDocument | undefined,
  after: MemberDocument | undefined,
): AuditedChange {
  const { userId } = (after ?? before) as MemberDocument;
  return { target: { kind: "member", id: userId, name: email }, before, after, userId };
}

/** Members of accounts. */
export function createMemberStore(db: Db, writes: AuditedWrites) {
  const members = db.collection<MemberDocument>("members");
  const users = db.collection<UserDocument>("users");
  const accounts = db.collection<AccountDocument & { readonly memberChanges?: number }>("accounts");
  const sessions = db.collection<SessionDocument>("sessions");

  function forAccount(accountId: string) {
    const nameOf = (userId: string) => ({ _id: memberId(accountId, userId), accountId });

    async function isLastOwner({ role, userId }: MemberDocument, session: ClientSession): Promise<boolean> {
      if (role !== "owner") return false;
      const owners = await members.find({ accountId, role: "owner" }, { session }).limit(2).toArray();
      return owners.every((owner) => owner.userId === userId);
    }

    async function noted(
      session: ClientSession,
      audit: Audit,
      before: MemberDocument | undefined,
      after: MemberDocument | undefined,
    ): Promise<void> {
      const userId = (after ?? before)?.userId ?? "";
      const user = await users.findOne({ _id: userId }, { session, projection: { email: 1 } });
      await writes.note(session, accountId, audit, memberChange(user?.email ?? "", before, after));
    }

    /**
     * Serializes changes in an account: two owners who remove each other concurrently would leave none. @throws Fault
     * resource.stale
     */
    function change(
      userId: string,
      ifRevision: string | undefined,
      work: (member: MemberDocument, session: ClientSession) => Promise<MemberChange>,
    ): Promise<MemberChange> {
      return writes.transact(async (session) => {
        await accounts.updateOne({ _id: accountId }, { $inc: { memberChanges: 1 } }, { session });
        const member = await members.findOne(nameOf(userId), { session });
        if (!member) return "unknown";
        checkRevision(ifRevision, memberRevision(member));
        return work(member, session);
      });
    }

    /** Fields of complete sessions that have not expired. */
    function findOpen(userIds: readonly string[], now: Date, limit: number): Promise<SeenSession[]> {
      const filter = {
        accountId,
        userId: { $in: [...userIds] },
        secondFactorPending: { $exists: false },
        endsAt: { $gt: now },
        expireAt: { $gt: now },
      };
      const options = { projection: { userId: 1, seenAt: 1 } };
      return guarded(sessions.find<SeenSession>(filter, options).limit(limit).toArray());
    }

    return {
      /**
       * Creates a user as a member of the account. An existing user with that address joins unchanged.
       * @returns the stored user, with `joined` false for a user who was already a member; nothing was changed then
       */
      async add(
        user: UserDocument,
        { role, createdAt }: NewMember,
        audit: Audit,
      ): Promise<{ readonly user: UserDocument; readonly joined: boolean }> {
        return writes.transact(async (session) => {
          const known = await users.findOne({ email: user.email }, { session });
          if (!known) await users.insertOne(user, { session });
          const { _id: userId } = known ?? user;
          if (await members.findOne(nameOf(userId), { session }))
            return { user: known ?? user, joined: false };
          const member = { ...nameOf(userId), userId, role, createdAt };
          await members.insertOne(member, { session });
          await noted(session, audit, undefined, member);
          return { user: known ?? user, joined: true };
        });
      },

      find: (userId: string) => guarded(members.findOne(nameOf(userId))),

      /** Those of the users who are members, unordered. */
      findAmong: (userIds: readonly string[]): Promise<MemberDocument[]> =>
        userIds.length === 0
          ? Promise.resolve([])
          : guarded(
              members
                .find({ _id: { $in: userIds.map((id) => memberId(accountId, id)) }, accountId })
                .toArray(),
            ),

      /** In the order of the users' creation. User ids are the cursors. */
      list({ after, limit, role }: MemberPage): Promise<MemberDocument[]> {
        const behind = after === undefined ? {} : { _id: { $gt: memberId(accountId, after) } };
        return guarded(
          members
            .find({ accountId, ...(role && { role }), ...behind })
            .sort({ _id: 1 })
            .limit(limit)
            .toArray(),
        );
      },

      countOwners: (): Promise<number> => guarded(members.countDocuments({ accountId, role: "owner" })),

      /** Records the use of a session in the account. */
      async touch(userId: string, seenAt: Date): Promise<void> {
        await guarded(members.updateOne(nameOf(userId), { $set: { seenAt } }));
      },

      /** Open sessions of these users in the account, by user. Users without one are missing. */
      async openSessions(userIds: readonly string[], now: Date): Promise<ReadonlyMap<string, OpenSessions>> {
        const most = userIds.length * MAX_COUNTED_SESSIONS;
        const found = await findOpen(userIds, now, most + 1);
        if (found.length <= most) return sumOf(found);
        // The sessions of one user may have displaced those of others.
        const each: SeenSession[] = [];
        for (const userId of userIds) each.push(...(await findOpen([userId], now, MAX_COUNTED_SESSIONS)));
        return sumOf(each);
      },

      /**
       * Ends all sessions of a member in the account. A session with another account cannot be used in this one until
       * its user shows a factor again.
       * @returns the number of ended sessions; undefined: the user is not a member
       */
      signOut: (userId: string, audit: Audit): Promise<number | undefined> =>
        writes.transact(async (session) => {
          const signedOutAt = audit.now();
          const { matchedCount } = await members.updateOne(
            nameOf(userId),
            { $set: { signedOutAt } },
            { session },
          );
          if (matchedCount === 0) return undefined;
          const { deletedCount: count } = await sessions.deleteMany({ accountId, userId }, { session });
          const user = await users.findOne({ _id: userId }, { session, projection: { email: 1 } });
          const target = { kind: "sessions", id: userId, name: user?.email ?? "" } as const;
          await writes.note(session, accountId, audit, {
            target,
            before: { count },
            after: undefined,
            userId,
          });
          return count;
        }),

      changeRole: (userId: string, role: MemberRole, audit: Audit, ifRevision?: string) =>
        change(userId, ifRevision, async (member, session) => {
          if (role !== "owner" && (await isLastOwner(member, session))) return "last_owner";
          await members.updateOne(nameOf(userId), { $set: { role } }, { session });
          const after = { ...member, role };
          await noted(session, audit, member, after);
          return after;
        }),

      remove: (userId: string, audit: Audit, ifRevision?: string) =>
        change(userId, ifRevision, async (member, session) => {
          if (await isLastOwner(member, session)) return "last_owner";
          await members.deleteOne(nameOf(userId), { session });
          await noted(session, audit, member, undefined);
          return member;
        }),
    };
  }

  return {
    forAccount,

    acrossAccounts: {
      /** All accounts of a user, the earliest first. Only readable ones. */
      async ofUser(userId: string): Promise<MemberDocument[]> {
        const find = (options: FindOptions) =>
          members.find({ userId }, options).sort({ _id: 1 }).limit(MEMBERSHIPS_MAX);
        return (await readEach<MemberDocument>(find)).documents;
      },
    },
  };
}

type SeenSession = Pick<SessionDocument, "userId" | "seenAt">;

function sumOf(sessions: readonly SeenSession[]): ReadonlyMap<string, OpenSessions> {
  const sums = new Map<string, OpenSessions>();
  for (const { userId, seenAt } of sessions) {
    const { count, seenAt: former } = sums.get(userId) ?? { count: 0, seenAt };
    const latest = new Date(Math.max(former.getTime(), seenAt.getTime()));
    sums.set(userId, { count: Math.min(count + 1, MAX_COUNTED_SESSIONS), seenAt: latest });
  }
  return sums;
}
