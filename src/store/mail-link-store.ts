import type { Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import type { AccountDocument, MemberDocument, SessionDocument, UserDocument } from "./documents.ts";
import { memberChange } from "./member-store.ts";
import type { PolicyDocument } from "./policy-document.ts";
import { guarded } from "./store-fault.ts";
import type { MailLinkDocument } from "./user-documents.ts";

type Purpose = MailLinkDocument["purpose"];

/** Initial documents of a user who signs up. */
export interface SignedUp {
  readonly user: UserDocument;
  readonly account: AccountDocument;
  readonly member: MemberDocument;
  readonly policy: PolicyDocument;
}

/** Former and new address of a user. */
export interface ChangedEmail {
  readonly former: string;
  readonly email: string;
}

/** Links that were mailed to users, by the hash of their tokens. Each is used once. */
export function createMailLinkStore(db: Db, writes: AuditedWrites) {
  const links = db.collection<MailLinkDocument>("mailLinks");
  const users = db.collection<UserDocument>("users");
  const auditedUsers = writes.of("user", users);
  const sessions = db.collection<SessionDocument>("sessions");
  const accounts = db.collection<AccountDocument>("accounts");
  const auditedAccounts = writes.of("account", accounts);
  const members = db.collection<MemberDocument>("members");
  const policies = db.collection<PolicyDocument>("policies");

  const open = (purpose: Purpose, hash: string, now: Date) => ({ purpose, hash, expireAt: { $gt: now } });

  return {
    /** Stores a link, and invalidates the previous one with the same purpose and user. */
    put: ({ _id, ...link }: MailLinkDocument): Promise<void> =>
      writes.transact(async (session) => {
        await links.replaceOne({ _id }, link, { upsert: true, session });
      }),

    find: (purpose: Purpose, hash: string, now: Date) => guarded(links.findOne(open(purpose, hash, now))),

    /** Invalidates a link. */
    remove: (id: string) => guarded(links.deleteOne({ _id: id })).then(() => undefined),

    /**
     * Sets a new password for the user of a link, ends all sessions, and consumes the link, atomically.
     * @returns undefined: the link is invalid
     */
    resetPassword: (
      hash: string,
      passwordHash: string,
      now: Date,
      audit: Audit,
    ): Promise<UserDocument | undefined> =>
      writes.transact(async (session) => {
        const link = await links.findOneAndDelete(open("password_reset", hash, now), { session });
        if (!link) return undefined;
        const before = await users.findOne({ email: link.email }, { session });
        if (!before) return undefined;
        const { _id: userId, email: name } = before;
        const by = { ...audit, actor: { kind: "user", id: userId, name } as const };
        const { mustChangePassword: _, ...kept } = before;
        const wanted = { ...kept, passwordHash };
        const after = await auditedUsers.update(session, by, before, wanted, { accountId: "" });
        const { deletedCount: count } = await sessions.deleteMany({ userId }, { session });
        if (count > 0) {
          const target = { kind: "sessions", id: userId, name } as const;
          await writes.note(session, "", by, { target, before: { count }, after: undefined, userId });
        }
        return after;
      }),

    /**
     * Sets the address of a link for the user who requested it, and consumes the link, atomically. The link is
     * invalid if the requesting session has ended. A password link for the former address is removed, because another
     * user may get that address.
     */
    changeEmail: (hash: string, now: Date, audit: Audit): Promise<ChangedEmail | "unknown" | "user_exists"> =>
      writes.transact(async (session) => {
        const link = await links.findOneAndDelete(open("email_change", hash, now), { session });
        const asked = { _id: link?.sessionId ?? "", endsAt: { $gt: now } };
        const asking = link && (await sessions.findOne(asked, { session }));
        const before = asking && (await users.findOne({ _id: asking.userId }, { session }));
        if (!before) return "unknown";
        const { email } = link;
        if (await users.findOne({ email }, { session })) return "user_exists";
        const { _id: userId, email: former } = before;
        const by = { ...audit, actor: { kind: "user", id: userId, name: former } as const };
        await auditedUsers.update(session, by, before, { ...before, email }, { accountId: "" });
        await sessions.updateMany({ userId }, { $set: { email } }, { session });
        await links.deleteOne({ _id: `password_reset:${userId}` }, { session });
        return { former, email };
      }),

    /**
     * Stores the user and account of a link, and consumes it, atomically.
     * @param build returns the documents for this address
     */
    signUp: (
      hash: string,
      build: (email: string) => SignedUp,
      now: Date,
      audit: Audit,
    ): Promise<SignedUp | "unknown" | "user_exists"> =>
      writes.transact(async (session) => {
        const link = await links.findOneAndDelete(open("sign_up", hash, now), { session });
        if (!link) return "unknown";
        if (await users.findOne({ email: link.email }, { session })) return "user_exists";
        const signedUp = build(link.email);
        await users.insertOne(signedUp.user, { session });
        await policies.insertOne(signedUp.policy, { session });
        await members.insertOne(signedUp.member, { session });
        const { _id: userId, email: name } = signedUp.user;
        const { _id: accountId } = signedUp.account;
        const by = { ...audit, actor: { kind: "user", id: userId, name } as const };
        await auditedAccounts.insert(session, by, signedUp.account, { accountId });
        await writes.note(session, accountId, by, memberChange(name, undefined, signedUp.member));
        return signedUp;
      }),
  };
}
