import type { Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import type { AccountDocument, MemberDocument, MemberRole, UserDocument } from "./documents.ts";
import { type ListPage, readPage } from "./list-page.ts";
import { memberChange, memberId } from "./member-store.ts";
import type { OfAccount } from "./owner.ts";
import { guarded, isDuplicateKey, storeFault } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";
import type { InvitationDocument } from "./user-documents.ts";

/** The person who joins: a new user or an existing one. */
export type Joiner =
  | { readonly kind: "new"; readonly user: UserDocument }
  | { readonly kind: "known"; readonly userId: string };

export interface Acceptance {
  readonly now: Date;
  readonly joiner: Joiner;
  /**
   * Whether the inviter is still allowed to invite.
   * @param inviter role in the account; undefined: no longer a member
   */
  readonly mayStand: (invitation: InvitationDocument, inviter: MemberRole | undefined) => boolean;
}

/** Only `joined` changes anything. */
export type Accepted = "joined" | "unknown" | "user_exists" | "other_address" | "member";

/** A new link that replaces the former one. */
export type NewLink = Pick<InvitationDocument, "hash" | "expireAt">;

export function createInvitationStore(db: Db, writes: AuditedWrites) {
  const invitations = db.collection<InvitationDocument>("invitations");
  const audited = writes.of("invitation", invitations);
  const users = db.collection<UserDocument>("users");
  const members = db.collection<MemberDocument>("members");
  const accounts = db.collection<AccountDocument & { readonly memberChanges?: number }>("accounts");

  const isOpen = ({ expireAt }: InvitationDocument, now: Date) => expireAt > now;

  return {
    forAccount: (accountId: string) => ({
      /**
       * Stores an invitation, and replaces an expired one for the same address.
       * @returns undefined: there is an open one for this address
       */
      async insert(
        invitation: OfAccount<InvitationDocument>,
        now: Date,
        audit: Audit,
      ): Promise<InvitationDocument | undefined> {
        const document = { ...invitation, accountId };
        const { email } = invitation;
        const inserting = inTransaction(db.client, async (session) => {
          await invitations.deleteMany({ accountId, email, expireAt: { $lte: now } }, { session });
          await audited.insert(session, audit, document);
        });
        try {
          await inserting;
          return document;
        } catch (error) {
          if (isDuplicateKey(error)) return undefined;
          throw storeFault(error);
        }
      },

      /** Open invitations, oldest first. */
      list: (page: ListPage, now: Date) =>
        readPage(invitations, { accountId, expireAt: { $gt: now } }, page, "_id"),

      /** Whether there are this many, open or not yet removed. */
      async hasMany(most: number): Promise<boolean> {
        const found = invitations.find({ accountId }, { projection: { _id: 1 } });
        return (await guarded(found.limit(most).toArray())).length >= most;
      },

      find: (id: string) => guarded(invitations.findOne({ _id: id, accountId })),

      /** Replaces the link of an invitation; null: it no longer exists. */
      renew: (id: string, link: NewLink, audit: Audit): Promise<InvitationDocument | null> =>
        audited.change({ _id: id, accountId }, audit, (before) => ({ ...before, ...link })),

      /** False: there is none with this id. */
      remove: async (id: string, audit: Audit): Promise<boolean> =>
        (await audited.take({ _id: id, accountId }, audit)) !== null,
    }),

    acrossAccounts: {
      /** Open or not yet removed. */
      findByHash: (hash: string) => guarded(invitations.findOne({ hash })),

      /** Joins and consumes the invitation, atomically. One of several concurrent calls succeeds. */
      accept: (hash: string, { now, joiner, mayStand }: Acceptance, audit: Audit): Promise<Accepted> =>
        writes.transact(async (session) => {
          const invitation = await invitations.findOne({ hash }, { session });
          if (!invitation || !isOpen(invitation, now)) return "unknown";
          const { accountId, email, role, invitedBy } = invitation;
          if (invitedBy) {
            const inviter = await members.findOne(
              { _id: memberId(accountId, invitedBy.userId), accountId },
              { session },
            );
            if (!mayStand(invitation, inviter?.role)) return "unknown";
          }
          // Serializes changes of an account's members, and prevents them during its deletion.
          const change = { $inc: { memberChanges: 1 } };
          const account = await accounts.updateOne({ _id: accountId }, change, { session });
          if (account.matchedCount === 0) return "unknown";
          const known = await users.findOne({ email }, { session });
          if (joiner.kind === "new" && known) return "user_exists";
          if (joiner.kind === "known" && known?._id !== joiner.userId) return "other_address";
          const userId = joiner.kind === "new" ? joiner.user._id : joiner.userId;
          const member = { _id: memberId(accountId, userId), accountId };
          if (await members.findOne(member, { session })) return "member";
          if (joiner.kind === "new") await users.insertOne(joiner.user, { session });
          const after = { ...member, userId, role, createdAt: now };
          await members.insertOne(after, { session });
          await invitations.deleteOne({ _id: invitation._id }, { session });
          const by = { ...audit, actor: { kind: "user", id: userId, name: email } as const };
          await writes.note(session, accountId, by, memberChange(email, undefined, after));
          return "joined";
        }),
    },
  };
}
