import type { Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import type { SenderDocument } from "./documents.ts";
import { type ListPage, readPage } from "./list-page.ts";
import { NO_USE, type ResourceUsers, type SenderRemoval } from "./resource-users.ts";
import { guarded } from "./store-fault.ts";
import type { OfAccount } from "./whose.ts";

/** A link that was mailed, and until when its sender is kept without being verified. */
export type SenderLink = Required<Pick<SenderDocument, "linkHash" | "linkExpiresAt" | "expireAt">>;

export function createSenderStore(db: Db, writes: AuditedWrites, users: ResourceUsers) {
  const senders = db.collection<SenderDocument>("senders");
  const audited = writes.of("sender", senders);

  return {
    forAccount: (accountId: string) => ({
      /** Adds a verified sender; the one that is verified already wins. */
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

      /** Notes that a link was mailed to an address, in the place of any before; a sender that is verified stays so. */
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
       * @param removal its check throws when rules, schedules or keys that lose it speak against it; then nothing is changed
       */
      remove: (
        value: string,
        audit: Audit,
        { check, isProven = false }: SenderRemoval = {},
      ): Promise<boolean> =>
        writes.transact(async (session) => {
          await users.exclude(session, accountId);
          // Removed first: what it alone permitted is then found to be lost.
          const before = await senders.findOneAndDelete({ accountId, value }, { session });
          if (!before) return false;
          const isMissed = before.verifiedAt !== undefined && !isProven;
          const use = isMissed ? await users.ofSender(session, accountId, value, audit.now()) : NO_USE;
          check?.(use);
          await audited.note(session, audit, before, undefined, { use });
          return true;
        }),

      find: (value: string) => guarded(senders.findOne({ accountId, value })),

      /** How many there are, as far as `most`. */
      count: (most: number) => guarded(senders.countDocuments({ accountId }, { limit: most })),

      /** By value, those that wait for their links to be followed among them. */
      list: (page: ListPage) => readPage(senders, { accountId }, page, "value"),

      /** Those of these values (address keys, domains) that are verified senders of the account. */
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
      /** The sender for whose mailbox a link was mailed, used or run out or not. */
      findByLink: (linkHash: string) => guarded(senders.findOne({ linkHash })),

      /** Verifies the sender of a link, which is used up by that; undefined: it is none, or has run out. */
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
