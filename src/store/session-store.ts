import type { Db } from "mongodb";
import type { SessionDocument } from "./documents.ts";
import { guarded } from "./store-fault.ts";

/** More sessions than anybody looks at. */
const LISTED_MAX = 100;

/** What a session becomes, under a new token. */
export type SessionChanges = Pick<SessionDocument, "hash"> &
  Partial<Pick<SessionDocument, "accountId" | "authenticatedAt">> & { readonly mustChangePassword?: false };

/** Dashboard sessions, by the hash of their tokens. Who has ended one has ended it at once, everywhere. */
export function createSessionStore(db: Db) {
  const sessions = db.collection<SessionDocument>("sessions");

  async function end(filter: object): Promise<number> {
    const { deletedCount } = await guarded(sessions.deleteMany(filter));
    return deletedCount;
  }

  return {
    insert: (session: SessionDocument) => guarded(sessions.insertOne(session)).then(() => undefined),
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
      { mustChangePassword, ...changes }: SessionChanges,
    ): Promise<boolean> {
      const $unset = mustChangePassword === false ? { $unset: { mustChangePassword: "" as const } } : {};
      const result = await guarded(sessions.updateOne({ _id, hash: former }, { $set: changes, ...$unset }));
      return result.matchedCount === 1;
    },

    /** Another user's session is as unknown as one that has ended. */
    endOne: async (userId: string, id: string) => (await end({ userId, _id: id })) === 1,

    /**
     * Ends all sessions of a user.
     * @param exceptId the one that goes on; missing: none does
     * @returns how many there were
     */
    endAll: (userId: string, exceptId?: string) =>
      end(exceptId === undefined ? { userId } : { userId, _id: { $ne: exceptId } }),
  };
}
