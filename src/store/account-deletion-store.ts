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

/** Matches unfinished deletions of any release: in MongoDB, null matches a missing field. */
const UNFINISHED = { finishedAt: null } as unknown as { readonly finishedAt: Date };

export interface MessageStep {
  readonly removed: number;
  /** Messages that a worker may be processing. The worker was asked to cancel them. */
  readonly waiting: number;
  /** The last processed message; undefined: there are no more. */
  readonly after: string | undefined;
}

/** Accounts under deletion. They are in no other collection, so they appear deleted to every other query. */
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

  /** Removes the documents of an account in these collections, in batches. */
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

  /** Removes captured mail without a message. */
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
     * Removes an account from the collections in which accounts are found.
     * @returns `first`: the operator's account, which stays; `unknown`: there is no account with this id
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
          // An entry in the installation's log, because the account's own log can no longer be read.
          await writes.entriesOf("account").note(session, audit, account, undefined, { accountId: "" });
          return "begun";
        },
        { retryDuplicates: false },
      );
    },

    /** The next account with remaining documents; null: there is none. */
    next: (after = ""): Promise<Pick<DeletedAccountDocument, "_id" | "deletedAt"> | null> =>
      guarded(
        // A damaged field of one account must not delay this one or the following ones.
        deletions.findOne(
          { ...UNFINISHED, _id: { $gt: after } },
          { sort: { _id: 1 }, projection: { deletedAt: 1 } },
        ),
      ),

    /** Removes keys, members and invitations. */
    removeAccess: (id: string) => removeFrom(ACCESS, id),

    /**
     * Processes the next messages. Messages that no worker can be processing are removed with their bodies and
     * events. The owner of their partition must first cancel the others.
     * @param reachable a message due until this time may be in processing
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
        // Read before the removal: the search index refers to messages by these terms.
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

    /** Removes everything else when no message is left. */
    async removeSettings(id: string): Promise<void> {
      await removeFrom(SETTINGS, id);
      await removeCaptured(id);
    },

    /**
     * Removes the account's messages from the search index.
     * @returns false: another process was active, and some entries may be left
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

    /** Finishes a deletion. Only its proof is left, which expires at `expireAt`. */
    async finish(id: string, finishedAt: Date, expireAt: Date): Promise<void> {
      const change = { $set: { finishedAt, expireAt }, $unset: { terms: "" as const } };
      await guarded(deletions.updateOne({ ...UNFINISHED, _id: id }, change));
    },

    /** Lists the accounts that were deleted or are under deletion, with the numbers of removed documents. */
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

/** Terms of the search index for messages of these policies. A damaged document has no name. */
function termsOf(
  accountId: string,
  policies: readonly (string | undefined)[],
): Readonly<Record<string, true>> {
  const names = policies.filter((name) => typeof name === "string");
  return Object.fromEntries(names.map((name) => [termOf(accountId, "policy", name), true as const]));
}
