import type { Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import type { MemberDocument, UserDocument } from "./documents.ts";
import type { Holder } from "./factor-store.ts";
import { memberChange } from "./member-store.ts";
import { guarded } from "./store-fault.ts";
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
export function createIdentityStore(db: Db, writes: AuditedWrites) {
  const identities = db.collection<IdentityDocument>("identities");
  const audited = writes.of("identity", identities);
  const requests = db.collection<OidcRequestDocument>("oidcRequests");
  const users = db.collection<UserDocument>("users");
  const members = db.collection<MemberDocument>("members");

  return {
    find: (id: string) => guarded(identities.findOne({ _id: id })),

    /** By id. */
    listOfUser: (userId: string) =>
      guarded(identities.find({ userId }).sort({ _id: 1 }).limit(LISTED_MAX).toArray()),

    /** False: it is some user's already. */
    link: (identity: IdentityDocument, { accountId }: Holder, audit: Audit): Promise<boolean> =>
      writes.transact(async (session) => {
        if (await identities.findOne({ _id: identity._id }, { session })) return false;
        await audited.insert(session, audit, identity, { accountId });
        return true;
      }),

    /** Makes a user with a membership, or nothing; false: the address has a user, or the identity is somebody's. */
    provision: ({ identity, user, member }: NewIdentity, audit: Audit): Promise<boolean> =>
      writes.transact(async (session) => {
        if (await users.findOne({ email: user.email }, { session })) return false;
        if (await identities.findOne({ _id: identity._id }, { session })) return false;
        await users.insertOne(user, { session });
        await members.insertOne(member, { session });
        const { accountId } = member;
        await writes.note(session, accountId, audit, memberChange(user.email, undefined, member));
        await audited.insert(session, audit, identity, { accountId });
        return true;
      }),

    /** False: the user has none of this id. */
    unlink: async ({ userId, accountId }: Holder, id: string, audit: Audit): Promise<boolean> =>
      (await audited.take({ _id: id, userId }, audit, { accountId })) !== null,

    putRequest: (request: OidcRequestDocument) => guarded(requests.insertOne(request)).then(() => undefined),

    /** Uses up a request; null: there is none of this id that holds, or it was used. */
    takeRequest: (id: string, now: Date) =>
      guarded(requests.findOneAndDelete({ _id: id, expireAt: { $gt: now } })),
  };
}
