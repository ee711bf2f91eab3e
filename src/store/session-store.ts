import type { Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import type { SessionDocument } from "./documents.ts";
import { readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";

/** More sessions than anybody looks at. */
const LISTED_MAX = 100;

/** What a session becomes, under a new token. */
export type SessionChanges = Pick<SessionDocument, "hash"> &
  Partial<Pick<SessionDocument, "accountId" | "authenticatedAt" | "factors" | "endsAt" | "expireAt">> & {
    readonly mustChangePassword?: false;
    readonly secondFactorPending?: false;
  };

/** Whose sessions are to end. */
export interface EndedSessions extends Pick<SessionDocument, "userId" | "email" | "accountId"> {
  /** The one that goes on; missing: none does. */
  readonly exceptId?: string;
}

/** Dashboard sessions, by the hash of their tokens. Who has ended one has ended it at once, everywhere. */
export function createSessionStore(db: Db, writes: AuditedWrites) {
  const sessions = db.collection<SessionDocument>("sessions");
  /** The log of the account that a session looks at, and its user's own list, have what happens to it. */
  const audited = writes.of("session", sessions);

  return {
    async insert(document: SessionDocument, audit: Audit): Promise<void> {
      await audited.add(document, audit);
    },

    find: (id: string) => guarded(sessions.findOne({ _id: id })),

    findByHash: (hash: string) => guarded(sessions.findOne({ hash })),

    /** Newest first. */
    async listOfUser(userId: string): Promise<SessionDocument[]> {
      const { documents } = await readEach<SessionDocument>((options) =>
        sessions.find({ userId }, options).sort({ _id: -1 }).limit(LISTED_MAX),
      );
      return documents;
    },

    /** Notes that a session was used. */
    async touch(id: string, use: Pick<SessionDocument, "seenAt" | "expireAt">): Promise<void> {
      await guarded(sessions.updateOne({ _id: id }, { $set: use }));
    },

    /** Lets a session go on under another token; false: its token was replaced before, or it has ended. */
    async renew(
      { _id, hash: former }: Pick<SessionDocument, "_id" | "hash">,
      { mustChangePassword, secondFactorPending, ...changes }: SessionChanges,
      audit: Audit,
    ): Promise<boolean> {
      const renewed = await audited.change({ _id, hash: former }, audit, (before) => {
        const { mustChangePassword: must, secondFactorPending: pending, ...kept } = before;
        return {
          ...kept,
          ...changes,
          ...(must && mustChangePassword !== false && { mustChangePassword: must }),
          ...(pending && secondFactorPending !== false && { secondFactorPending: pending }),
        };
      });
      return renewed !== null;
    },

    /** Another user's session is as unknown as one that has ended. */
    endOne: async (userId: string, id: string, audit: Audit): Promise<boolean> =>
      (await audited.take({ userId, _id: id }, audit)) !== null,

    /**
     * Ends all sessions of a user.
     * @param accountId in whose log that is, besides the user's own list; empty: the installation's
     * @returns how many there were
     */
    endAll({ userId, email, exceptId, accountId }: EndedSessions, audit: Audit): Promise<number> {
      const filter = exceptId === undefined ? { userId } : { userId, _id: { $ne: exceptId } };
      return writes.transact(async (session) => {
        const { deletedCount: count } = await sessions.deleteMany(filter, { session });
        if (count === 0) return 0;
        const target = { kind: "sessions", id: userId, name: email } as const;
        const change = { target, before: { count }, after: undefined, userId };
        await writes.note(session, accountId, audit, change);
        return count;
      });
    },
  };
}
