import type { Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import type { SenderDocument } from "./documents.ts";
import { type ListPage, readPage } from "./list-page.ts";
import type { OfAccount } from "./owner.ts";
import { NO_USE, type ResourceUsers, type SenderRemoval } from "./resource-users.ts";
import { guarded } from "./store-fault.ts";

/** A mailed link, and the retention of its unverified sender. */
export type SenderLink = Required<Pick<SenderDocument, "linkHash" | "linkExpiresAt" | "expireAt">>;

export function createSenderStore(db: Db, writes: AuditedWrites, users: ResourceUsers) {
  const senders = db.collection<SenderDocument>("senders");
  const audited = writes.of("sender", senders);

  return {
    forAccount: (accountId: string) => ({
      /** Adds a verified sender. An existing verified one has precedence. */
      add(sender: OfAccount<SenderDocument>, audit: Audit): Promise<SenderDocument> {
        const { value } = sender;
        return writes.transact(async (session) => {
          const known = await senders.findOne({ accountId, value }, { session });
          if (known?.verifiedAt) return known;
          const after = { ...sender, accountId };
          if (!known) return audited.insert(session, audit, after);
          return audited.update(session, audit, known, { ...after, _id: known._id });
        });
      },

      /** Records a mailed link, and replaces the previous one. A verified sender stays verified. */
      invite(
        sender: OfAccount<Omit<SenderDocument, "verifiedAt">>,
        link: SenderLink,
        audit: Audit,
      ): Promise<SenderDocument> {
        const { value } = sender;
        return writes.transact(async (session) => {
          const known = await senders.findOne({ accountId, value }, { session });
          if (known?.verifiedAt) return known;
          if (!known) return audited.insert(session, audit, { ...sender, accountId, ...link });
          return audited.update(session, audit, known, { ...known, ...link });
        });
      },

      /**
       * Removes a sender; false: there was none.
       * @param removal its check throws if rules, schedules or keys still need the sender; then nothing is changed
       */
      remove: (
        value: string,
        audit: Audit,
        { check, isProven = false }: SenderRemoval = {},
      ): Promise<boolean> =>
        writes.transact(async (session) => {
          await users.exclude(session, accountId);
          // Removed first, so that resources that only this sender permits are found.
          const before = await senders.findOneAndDelete({ accountId, value }, { session });
          if (!before) return false;
          const isMissed = before.verifiedAt !== undefined && !isProven;
          const use = isMissed ? await users.ofSender(session, accountId, value, audit.now()) : NO_USE;
          check?.(use);
          await audited.note(session, audit, before, undefined, { use });
          return true;
        }),

      find: (value: string) => guarded(senders.findOne({ accountId, value })),

      /** Number of senders, at most `most`. */
      count: (most: number) => guarded(senders.countDocuments({ accountId }, { limit: most })),

      /** By value, including those with an open verification link. */
      list: (page: ListPage) => readPage(senders, { accountId }, page, "value"),

      /** The verified senders of the account among these values (address keys, domains). */
      async listAmong(values: readonly string[]): Promise<SenderDocument[]> {
        const found = await guarded(senders.find({ accountId, value: { $in: [...values] } }).toArray());
        return found.filter(({ verifiedAt }) => verifiedAt);
      },

      /** Whether one of these values (an address key, its domain) is a verified sender of the account. */
      async hasAny(values: readonly string[]): Promise<boolean> {
        const verified = { accountId, value: { $in: [...values] }, verifiedAt: { $exists: true } };
        return (await guarded(senders.findOne(verified))) !== null;
      },
    }),

    acrossAccounts: {
      /** The sender of a link, even if the link was used or has expired. */
      findByLink: (linkHash: string) => guarded(senders.findOne({ linkHash })),

      /** Verifies the sender of a link, and consumes the link; undefined: it is invalid or has expired. */
      confirm: (linkHash: string, now: Date, audit: Audit): Promise<SenderDocument | undefined> =>
        writes.transact(async (session) => {
          const before = await senders.findOne({ linkHash }, { session });
          if (!before?.linkExpiresAt || before.linkExpiresAt <= now) return undefined;
          const { linkHash: _hash, linkExpiresAt: _expires, expireAt: _until, ...rest } = before;
          return audited.update(session, audit, before, { ...rest, verifiedAt: now, verifiedBy: "link" });
        }),
    },
  };
}
