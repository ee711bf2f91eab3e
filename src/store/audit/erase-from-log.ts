import type { ClientSession, Db } from "mongodb";
import { mentionsAddress, withoutAddress } from "../../message/address/mentions.ts";
import { foundIds, readEach } from "../read-each.ts";
import { type AuditEntryDocument, auditOutcomes } from "./entry-document.ts";

/** Entries about users, and about the account's own senders: they are no recipients. */
const KEPT_KINDS: ReadonlySet<string> = new Set([
  "user",
  "member",
  "invitation",
  "session",
  "sessions",
  "totp",
  "recovery_codes",
  "passkey",
  "identity",
  "sender",
  "account",
]);

export interface ReadEntries {
  /** Entries that contain the address. */
  readonly found: readonly AuditEntryDocument[];
  readonly count: number;
  /** Start of the next page; undefined: this was the last page. */
  readonly before: string | undefined;
}

/** Erases the address of one recipient from an account's audit log. The action, its actor and its time stay. */
export function createEraseFromLog(db: Db) {
  const entries = db.collection<AuditEntryDocument>("auditEntries");

  return {
    /** Newest first, a page at a time. */
    async readEntries(
      accountId: string,
      address: string,
      { before, limit }: { readonly before: string | undefined; readonly limit: number },
    ): Promise<ReadEntries> {
      const range = before === undefined ? {} : { _id: { $lt: before } };
      const filter = { accountId, outcome: { $in: [...auditOutcomes] }, ...range };
      const { documents, unreadable } = await readEach<AuditEntryDocument>((options) =>
        entries.find(filter, options).sort({ _id: -1 }).limit(limit),
      );
      const ids = foundIds({ documents, unreadable });
      const found = documents.filter((entry) => stands(entry, address));
      return { found, count: ids.length, before: ids.length < limit ? undefined : ids[0] };
    },

    /** Replaces entries with versions without the address. */
    async erase(
      found: readonly AuditEntryDocument[],
      address: string,
      session: ClientSession,
    ): Promise<number> {
      const operations = found.map((entry) => {
        const { _id, accountId } = entry;
        return { updateOne: { filter: { _id, accountId }, update: { $set: erased(entry, address) } } };
      });
      if (operations.length === 0) return 0;
      return (await entries.bulkWrite(operations, { session })).matchedCount;
    },
  };
}

type Shown = Pick<AuditEntryDocument, "actor" | "target" | "changes">;

/** The entry without the address. The names of users stay. */
function erased({ actor, target, changes }: Shown, address: string): Shown {
  const without = (text: string) => withoutAddress(text, address);
  return {
    actor: isRecipient(actor) ? { ...actor, id: without(actor.id), name: without(actor.name) } : actor,
    target: KEPT_KINDS.has(target.kind)
      ? target
      : { ...target, id: without(target.id), name: without(target.name) },
    changes: KEPT_KINDS.has(target.kind)
      ? changes
      : (changes ?? []).map(({ before, after, ...change }) => ({
          ...change,
          ...(before !== undefined && { before: without(before) }),
          ...(after !== undefined && { after: without(after) }),
        })),
  };
}

function stands({ actor, target, changes }: Shown, address: string): boolean {
  const values = (changes ?? []).flatMap(({ before, after }) => [before, after]);
  const texts = [
    ...(isRecipient(actor) ? [actor.id, actor.name] : []),
    ...(KEPT_KINDS.has(target.kind) ? [] : [target.id, target.name, ...values]),
  ];
  return texts.some((text) => text !== undefined && mentionsAddress(text, address));
}

/** Every other actor is a user or a program. */
function isRecipient({ kind }: Shown["actor"]): boolean {
  return kind === "recipient";
}
