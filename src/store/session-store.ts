import type { ClientSession, Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditLog } from "./audit/audit-log.ts";
import type { SessionDocument } from "./documents.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";

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
export function createSessionStore(db: Db, log: AuditLog) {
  const sessions = db.collection<SessionDocument>("sessions");

  /** The log of the account that a session looks at, and its user's own list, have what happens to it. */
  function noted(
    session: ClientSession,
    audit: Audit,
    before: SessionDocument | undefined,
    after: SessionDocument | undefined,
  ): Promise<void> {
    const { _id: id, email: name, userId, accountId } = (after ?? before) as SessionDocument;
    const target = { kind: "session", id, name } as const;
    return log.changed(session, accountId, audit, { target, before, after, userId });
  }

  return {
    async insert(document: SessionDocument, audit: Audit): Promise<void> {
      const inserting = inTransaction(db.client, async (session) => {
        await sessions.insertOne(document, { session });
        await noted(session, audit, undefined, document);
      });
      await guarded(inserting);
    },

    find: (id: string) => guarded(sessions.findOne({ _id: id })),

    findByHash: (hash: string) => guarded(sessions.findOne({ hash })),

    /** Newest first. */
    listOfUser: (userId: string) =>
      guarded(sessions.find({ userId }).sort({ _id: -1 }).limit(LISTED_MAX).toArray()),

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
      const $unset = {
        ...(mustChangePassword === false && { mustChangePassword: "" as const }),
        ...(secondFactorPending === false && { secondFactorPending: "" as const }),
      };
      const update = { $set: changes, ...(Object.keys($unset).length > 0 && { $unset }) };
      const renewing = inTransaction(db.client, async (session) => {
        const before = await sessions.findOne({ _id, hash: former }, { session });
        if (!before) return false;
        await sessions.updateOne({ _id, hash: former }, update, { session });
        const after = { ...before, ...changes };
        const left = Object.entries(after).filter(([name]) => !(name in $unset));
        await noted(session, audit, before, Object.fromEntries(left) as unknown as SessionDocument);
        return true;
      });
      return guarded(renewing);
    },

    /** Another user's session is as unknown as one that has ended. */
    endOne(userId: string, id: string, audit: Audit): Promise<boolean> {
      const ending = inTransaction(db.client, async (session) => {
        const before = await sessions.findOne({ userId, _id: id }, { session });
        if (!before) return false;
        await sessions.deleteOne({ userId, _id: id }, { session });
        await noted(session, audit, before, undefined);
        return true;
      });
      return guarded(ending);
    },

    /**
     * Ends all sessions of a user.
     * @param accountId in whose log that is, besides the user's own list; empty: the installation's
     * @returns how many there were
     */
    endAll({ userId, email, exceptId, accountId }: EndedSessions, audit: Audit): Promise<number> {
      const filter = exceptId === undefined ? { userId } : { userId, _id: { $ne: exceptId } };
      const ending = inTransaction(db.client, async (session) => {
        const { deletedCount: count } = await sessions.deleteMany(filter, { session });
        if (count === 0) return 0;
        const target = { kind: "sessions", id: userId, name: email } as const;
        await log.changed(session, accountId, audit, { target, before: { count }, after: undefined, userId });
        return count;
      });
      return guarded(ending);
    },
  };
}
