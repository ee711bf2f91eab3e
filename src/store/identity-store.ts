import type { ClientSession, Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditLog } from "./audit/audit-log.ts";
import type { MemberDocument, UserDocument } from "./documents.ts";
import type { Holder } from "./factor-store.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";
import type { IdentityDocument, OidcRequestDocument } from "./user-documents.ts";

/** All that somebody begins with who comes from a provider for the first time. */
export interface NewIdentity {
  readonly identity: IdentityDocument;
  readonly user: UserDocument;
  readonly member: MemberDocument;
}

/** More than anybody has. */
const LISTED_MAX = 50;

/** Who users are to a provider of OpenID Connect, and requests to it that are under way. */
export function createIdentityStore(db: Db, log: AuditLog) {
  const identities = db.collection<IdentityDocument>("identities");
  const requests = db.collection<OidcRequestDocument>("oidcRequests");
  const users = db.collection<UserDocument>("users");
  const members = db.collection<MemberDocument>("members");

  function noted(
    session: ClientSession,
    before: IdentityDocument | undefined,
    after: IdentityDocument | undefined,
    { userId, accountId }: Pick<Holder, "userId" | "accountId">,
    audit: Audit,
  ): Promise<void> {
    const { _id: id, issuer: name } = (after ?? before) as IdentityDocument;
    const target = { kind: "identity", id, name } as const;
    return log.changed(session, accountId, audit, { target, before, after, userId });
  }

  return {
    find: (id: string) => guarded(identities.findOne({ _id: id })),

    /** By id. */
    listOfUser: (userId: string) =>
      guarded(identities.find({ userId }).sort({ _id: 1 }).limit(LISTED_MAX).toArray()),

    /** False: it is some user's already. */
    link(identity: IdentityDocument, holder: Holder, audit: Audit): Promise<boolean> {
      const linking = inTransaction(
        db.client,
        async (session) => {
          if (await identities.findOne({ _id: identity._id }, { session })) return false;
          await identities.insertOne(identity, { session });
          await noted(session, undefined, identity, holder, audit);
          return true;
        },
        { retryDuplicates: true },
      );
      return guarded(linking);
    },

    /** Makes a user with a membership, or nothing; false: the address has a user, or the identity is somebody's. */
    provision({ identity, user, member }: NewIdentity, audit: Audit): Promise<boolean> {
      const provisioning = inTransaction(
        db.client,
        async (session) => {
          if (await users.findOne({ email: user.email }, { session })) return false;
          if (await identities.findOne({ _id: identity._id }, { session })) return false;
          await users.insertOne(user, { session });
          await members.insertOne(member, { session });
          await identities.insertOne(identity, { session });
          const { accountId, userId } = member;
          const target = { kind: "member", id: userId, name: user.email } as const;
          await log.changed(session, accountId, audit, { target, before: undefined, after: member, userId });
          await noted(session, undefined, identity, { userId, accountId }, audit);
          return true;
        },
        { retryDuplicates: true },
      );
      return guarded(provisioning);
    },

    /** False: the user has none of this id. */
    unlink(holder: Holder, id: string, audit: Audit): Promise<boolean> {
      const unlinking = inTransaction(db.client, async (session) => {
        const removed = await identities.findOneAndDelete({ _id: id, userId: holder.userId }, { session });
        if (!removed) return false;
        await noted(session, removed, undefined, holder, audit);
        return true;
      });
      return guarded(unlinking);
    },

    putRequest: (request: OidcRequestDocument) => guarded(requests.insertOne(request)).then(() => undefined),

    /** Uses up a request; null: there is none of this id that holds, or it was used. */
    takeRequest: (id: string, now: Date) =>
      guarded(requests.findOneAndDelete({ _id: id, expireAt: { $gt: now } })),
  };
}
