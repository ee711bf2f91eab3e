import type { Db, Document } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { deletedCollections } from "./collections/collections.ts";
import type { AccountDocument } from "./documents.ts";
import type { ListPage } from "./list-page.ts";
import type { MessageDocument, SandboxDocument } from "./message-documents.ts";
import { createMessageRemoval, REMOVABLE, type Removable } from "./message-removal.ts";
import type { PolicyDocument } from "./policy-document.ts";
import { readEach } from "./read-each.ts";
import { createProvedSteps } from "./removal-proof.ts";
import type { SearchStore } from "./search/search-store.ts";
import { termOf } from "./search/terms.ts";
import { guarded } from "./store-fault.ts";
import type { DeletedAccountDocument } from "./user-documents.ts";

const ACCESS = deletedCollections("access");
const SETTINGS = deletedCollections("settings");

const AT_ONCE = 500;
const MESSAGES_AT_ONCE = 100;

/** Of a deletion that is not over, whichever release has begun it: MongoDB takes null for what is missing. */
const UNFINISHED = { finishedAt: null } as unknown as { readonly finishedAt: Date };

export interface MessageStep {
  readonly removed: number;
  /** Messages that a worker may have in hand: it was asked to withdraw them. */
  readonly waiting: number;
  /** The last message that was looked at; undefined: that was the end. */
  readonly after: string | undefined;
}

/** Accounts on their way out. One that is here is nowhere else: whoever asks for it finds no such account. */
export function createAccountDeletionStore(
  db: Db,
  writes: AuditedWrites,
  search: Pick<SearchStore, "forget">,
) {
  const deletions = db.collection<DeletedAccountDocument>("deletedAccounts");
  const accounts = db.collection<AccountDocument>("accounts");
  const messages = db.collection<MessageDocument>("messages");
  const captured = db.collection<SandboxDocument>("sandboxMessages");
  const policies = db.collection<PolicyDocument>("policies");
  const removal = createMessageRemoval(db);
  const proved = createProvedSteps(db, "deletedAccounts", UNFINISHED as object);

  /** Removes what there is of an account in these collections, a batch at a time. */
  async function removeFrom(names: readonly string[], accountId: string): Promise<void> {
    for (const name of names) {
      const collection = db.collection<Document & { _id: string }>(name);
      for (;;) {
        const find = collection.find({ accountId }, { projection: { _id: 1 } }).limit(AT_ONCE);
        const ids = (await guarded(find.toArray())).map(({ _id }) => _id);
        if (ids.length === 0) break;
        await proved(accountId, async (session) => {
          const { deletedCount } = await collection.deleteMany({ _id: { $in: ids }, accountId }, { session });
          return { removed: { [name]: deletedCount } };
        });
      }
    }
  }

  /** Captured mail whose message is there no more. */
  async function removeCaptured(accountId: string): Promise<void> {
    for (;;) {
      const find = captured.find({ accountId }, { projection: { _id: 1 } }).limit(MESSAGES_AT_ONCE);
      const ids = (await guarded(find.toArray())).map(({ _id }) => _id);
      if (ids.length === 0) return;
      await proved(accountId, async (session) => ({
        removed: await removal.removeCaptured({ _id: { $in: ids }, accountId }, session),
      }));
    }
  }

  return {
    /**
     * Takes an account out of all that looks for accounts.
     * @returns `first`: it is the operator's, and stays; `unknown`: there is none of this id
     */
    begin(id: string, deletion: Pick<DeletedAccountDocument, "deletedAt" | "deletedBy">, audit: Audit) {
      return writes.transact(
        async (session): Promise<"begun" | "first" | "unknown"> => {
          const first = await accounts.findOne({}, { sort: { _id: 1 }, projection: { _id: 1 }, session });
          if (first?._id === id) return "first";
          const account = await accounts.findOneAndDelete({ _id: id }, { session });
          if (!account) return "unknown";
          const { name, createdAt } = account;
          const projection = { name: 1 };
          const found = await policies.find({ accountId: id }, { projection, session }).toArray();
          const terms = termsOf(
            id,
            found.map((policy) => policy.name),
          );
          await deletions.insertOne(
            { _id: id, name, createdAt, ...deletion, removed: {}, terms },
            { session },
          );
          // The installation's: of the account's own nobody is left to read it.
          await writes.entriesOf("account").note(session, audit, account, undefined, { accountId: "" });
          return "begun";
        },
        { retryDuplicates: false },
      );
    },

    /** One whose remains are to be removed; null: there is none. */
    next: (after = ""): Promise<Pick<DeletedAccountDocument, "_id" | "deletedAt"> | null> =>
      guarded(
        // Whatever is damaged of one keeps it, and those behind it, from nothing.
        deletions.findOne(
          { ...UNFINISHED, _id: { $gt: after } },
          { sort: { _id: 1 }, projection: { deletedAt: 1 } },
        ),
      ),

    /** Removes keys, members and invitations. */
    removeAccess: (id: string) => removeFrom(ACCESS, id),

    /**
     * Looks at the next messages. Those that nobody can have in hand are removed with their bodies and events; others are
     * to be withdrawn by the owner of their partition first.
     * @param reachable a message that is due by then may be in somebody's hands
     */
    async removeMessages(
      id: string,
      after: string | undefined,
      now: Date,
      reachable: Date,
    ): Promise<MessageStep> {
      const behind = after === undefined ? {} : { _id: { $lt: after } };
      const found: (Removable & Pick<MessageDocument, "policy">)[] = await guarded(
        messages
          .find({ accountId: id, ...behind }, { projection: { ...REMOVABLE, policy: 1 } })
          .sort({ _id: -1 })
          .limit(MESSAGES_AT_ONCE)
          .toArray(),
      );
      const gone = found.filter(({ nextAttemptAt }) => nextAttemptAt === undefined);
      const waiting = found.filter(({ nextAttemptAt }) => nextAttemptAt !== undefined);
      await removal.withdraw(id, waiting, { now, reachable });
      if (gone.length > 0) {
        // Before, for by these the index of searches has them.
        const terms = termsOf(
          id,
          gone.map(({ policy }) => policy),
        );
        const $set = Object.fromEntries(Object.keys(terms).map((term) => [`terms.${term}`, true as const]));
        if (Object.keys($set).length > 0) await guarded(deletions.updateOne({ _id: id }, { $set }));
        await proved(id, (session) => removal.remove(id, gone, { session, keepShared: false }));
      }
      const last = found.length < MESSAGES_AT_ONCE ? undefined : found.at(-1)?._id;
      return { removed: gone.length, waiting: waiting.length, after: last };
    },

    /** Removes all else, once no message is there. */
    async removeSettings(id: string): Promise<void> {
      await removeFrom(SETTINGS, id);
      await removeCaptured(id);
    },

    /**
     * Takes its messages out of the index of searches.
     * @returns false: another process was in the way, and some may be left
     */
    async forgetInIndex(id: string, now: Date): Promise<boolean> {
      const deletion = await guarded(deletions.findOne({ ...UNFINISHED, _id: id }));
      const terms = Object.keys(deletion?.terms ?? {}).map(Number);
      const count = terms.length === 0 ? 0 : await search.forget({ terms, until: now, now });
      if (!count) return count !== undefined;
      const $inc = { "removed.searchIndex": count };
      await guarded(deletions.updateOne({ ...UNFINISHED, _id: id }, { $inc }));
      return true;
    },

    /** Nothing is left of it but the proof, which stays until then. */
    async finish(id: string, finishedAt: Date, expireAt: Date): Promise<void> {
      const change = { $set: { finishedAt, expireAt }, $unset: { terms: "" as const } };
      await guarded(deletions.updateOne({ ...UNFINISHED, _id: id }, change));
    },

    /** What was removed of the accounts that were deleted, or is being removed. */
    async list({ after, limit }: ListPage): Promise<DeletedAccountDocument[]> {
      const filter = after === undefined ? {} : { _id: { $gt: after } };
      const found = await readEach<DeletedAccountDocument>((options) =>
        deletions.find(filter, options).sort({ _id: 1 }).limit(limit),
      );
      return found.documents;
    },

    find: (id: string): Promise<DeletedAccountDocument | null> => guarded(deletions.findOne({ _id: id })),
  };
}

/** What the index of searches has of messages by these policies; a damaged document has no name. */
function termsOf(
  accountId: string,
  policies: readonly (string | undefined)[],
): Readonly<Record<string, true>> {
  const names = policies.filter((name) => typeof name === "string");
  return Object.fromEntries(names.map((name) => [termOf(accountId, "policy", name), true as const]));
}
