import type { Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import type { SessionDocument } from "./documents.ts";
import { readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";

/** More sessions than a user ever views. */
const LISTED_MAX = 100;

/** Changes of a session with a new token. */
export type SessionChanges = Pick<SessionDocument, "hash"> &
  Partial<Pick<SessionDocument, "accountId" | "authenticatedAt" | "factors" | "endsAt" | "expireAt">> & {
    readonly mustChangePassword?: false;
    readonly secondFactorPending?: false;
  };

/** Owner of the sessions to end. */
export interface EndedSessions extends Pick<SessionDocument, "userId" | "email" | "accountId"> {
  /** The session that continues. Missing: none. */
  readonly exceptId?: string;
}

/** Dashboard sessions, by the hash of their tokens. The end of a session takes effect immediately, in all processes. */
export function createSessionStore(db: Db, writes: AuditedWrites) {
  const sessions = db.collection<SessionDocument>("sessions");
  /** Changes of a session are in the log of its selected account, and in its user's own list. */
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

    /** Records the use of a session. */
    async touch(id: string, use: Pick<SessionDocument, "seenAt" | "expireAt">): Promise<void> {
      await guarded(sessions.updateOne({ _id: id }, { $set: use }));
    },

    /** Replaces the token of a session; false: the token was replaced before, or the session has ended. */
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

    /** Another user's session answers like an ended one. */
    endOne: async (userId: string, id: string, audit: Audit): Promise<boolean> =>
      (await audited.take({ userId, _id: id }, audit)) !== null,

    /**
     * Ends all sessions of a user.
     * @param accountId owner of the log entry, in addition to the user's own list; empty: the installation
     * @returns the number of ended sessions
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
