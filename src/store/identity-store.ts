import type { Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import type { MemberDocument, UserDocument } from "./documents.ts";
import type { Holder } from "./factor-store.ts";
import { memberChange } from "./member-store.ts";
import { guarded } from "./store-fault.ts";
import type { IdentityDocument, OidcRequestDocument } from "./user-documents.ts";

/** Initial documents of a user who signs in through a provider for the first time. */
export interface NewIdentity {
  readonly identity: IdentityDocument;
  readonly user: UserDocument;
  readonly member: MemberDocument;
}

/** More than any user has. */
const LISTED_MAX = 50;

/** Identities of users at OpenID Connect providers, and pending requests to these. */
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

    /** False: it already belongs to a user. */
    link: (identity: IdentityDocument, { accountId }: Holder, audit: Audit): Promise<boolean> =>
      writes.transact(async (session) => {
        if (await identities.findOne({ _id: identity._id }, { session })) return false;
        await audited.insert(session, audit, identity, { accountId });
        return true;
      }),

    /** Creates a user with a membership, atomically; false: the address has a user, or the identity belongs to one. */
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

    /** False: the user has none with this id. */
    unlink: async ({ userId, accountId }: Holder, id: string, audit: Audit): Promise<boolean> =>
      (await audited.take({ _id: id, userId }, audit, { accountId })) !== null,

    putRequest: (request: OidcRequestDocument) => guarded(requests.insertOne(request)).then(() => undefined),

    /** Consumes a request; null: there is no valid one with this id, or it was consumed. */
    takeRequest: (id: string, now: Date) =>
      guarded(requests.findOneAndDelete({ _id: id, expireAt: { $gt: now } })),
  };
}
