import type { Db, Document } from "mongodb";
import { type Audit, systemAudit } from "../shared/audit.ts";
import { bucketOf } from "../shared/ids.ts";
import type { AuditLog } from "./audit/audit-log.ts";
import { allNamed, NO_BUCKET, named } from "./bucket.ts";
import { createChunkStore } from "./chunk-store.ts";
import type { AccountDocument } from "./documents.ts";
import type { ContentDocument, EventDocument, MessageDocument } from "./message-documents.ts";
import { createSandboxStore } from "./sandbox-store.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";
import type { DeletedAccountDocument } from "./user-documents.ts";

/** What lets somebody in, or anything out. It goes first. */
const ACCESS = ["apiKeys", "members", "invitations"] as const;
/** What messages need while they are there. */
const SETTINGS = [
  "keyUses",
  "senders",
  "domains",
  "domainEvents",
  "domainKeys",
  "policies",
  "templates",
  "templateHeads",
  "suppressions",
  "quarantine",
  "requests",
  "counters",
] as const;

const AT_ONCE = 500;
const MESSAGES_AT_ONCE = 100;

export interface MessageStep {
  readonly removed: number;
  /** Messages that a worker may have in hand: it was asked to withdraw them. */
  readonly waiting: number;
  /** The last message that was looked at; undefined: that was the end. */
  readonly after: string | undefined;
}

type Waiting = Pick<MessageDocument, "_id" | "bucket" | "contentId" | "nextAttemptAt" | "held">;

/** Accounts on their way out. One that is here is nowhere else: whoever asks for it finds no such account. */
export function createAccountDeletionStore(db: Db, log: AuditLog) {
  const deletions = db.collection<DeletedAccountDocument>("deletedAccounts");
  const accounts = db.collection<AccountDocument>("accounts");
  const messages = db.collection<MessageDocument>("messages");
  const contents = db.collection<ContentDocument>("contents");
  const events = db.collection<EventDocument>("events");
  const chunks = createChunkStore(db);
  const sandbox = createSandboxStore(db, log);

  /** Removes what there is of an account in these collections, a batch at a time. */
  async function removeFrom(names: readonly string[], accountId: string): Promise<void> {
    for (const name of names) {
      const collection = db.collection<Document & { _id: string }>(name);
      for (;;) {
        const find = collection.find({ accountId }, { projection: { _id: 1 } }).limit(AT_ONCE);
        const ids = (await guarded(find.toArray())).map(({ _id }) => _id);
        if (ids.length === 0) break;
        await guarded(collection.deleteMany({ _id: { $in: ids }, accountId }));
      }
    }
  }

  async function removeContents(accountId: string, ids: readonly string[]): Promise<void> {
    const names = ids.map((id) => ({ _id: id, bucket: bucketOf(id) }));
    const found = contents.find({ ...allNamed(names), accountId }, { projection: { chunkCount: 1 } });
    for (const { _id, chunkCount } of await guarded(found.toArray())) {
      if (chunkCount) await chunks.remove(_id, chunkCount);
    }
    await guarded(contents.deleteMany({ ...allNamed(names), accountId }));
  }

  /** Message last, for by it the others are found. */
  async function removeMessages(accountId: string, gone: readonly Waiting[]): Promise<void> {
    if (gone.length === 0) return;
    await removeContents(accountId, [...new Set(gone.flatMap(({ contentId }) => contentId ?? []))]);
    for (const { _id: id } of gone) {
      const bucket = { $in: [bucketOf(id), NO_BUCKET] };
      await guarded(events.deleteMany({ _id: { $gte: `${id}.`, $lt: `${id}/` }, bucket, accountId }));
    }
    await guarded(messages.deleteMany({ ...allNamed(gone), accountId }));
  }

  return {
    /**
     * Takes an account out of all that looks for accounts.
     * @returns `first`: it is the operator's, and stays; `unknown`: there is none of this id
     */
    begin(id: string, deletion: Pick<DeletedAccountDocument, "deletedAt" | "deletedBy">, audit: Audit) {
      const beginning = inTransaction(db.client, async (session): Promise<"begun" | "first" | "unknown"> => {
        const first = await accounts.findOne({}, { sort: { _id: 1 }, projection: { _id: 1 }, session });
        if (first?._id === id) return "first";
        const account = await accounts.findOneAndDelete({ _id: id }, { session });
        if (!account) return "unknown";
        const { name, createdAt } = account;
        await deletions.insertOne({ _id: id, name, createdAt, ...deletion }, { session });
        // The installation's: of the account's own nobody is left to read it.
        const target = { kind: "account", id, name } as const;
        await log.changed(session, "", audit, { target, before: account, after: undefined });
        return "begun";
      });
      return guarded(beginning);
    },

    /** One whose remains are to be removed; null: there is none. */
    next: (after = ""): Promise<Pick<DeletedAccountDocument, "_id" | "deletedAt"> | null> =>
      guarded(
        // Whatever is damaged of one keeps it, and those behind it, from nothing.
        deletions.findOne({ _id: { $gt: after } }, { sort: { _id: 1 }, projection: { deletedAt: 1 } }),
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
      const projection = { bucket: 1, contentId: 1, nextAttemptAt: 1, held: 1 };
      const found: Waiting[] = await guarded(
        messages
          .find({ accountId: id, ...behind }, { projection })
          .sort({ _id: -1 })
          .limit(MESSAGES_AT_ONCE)
          .toArray(),
      );
      const gone = found.filter(({ nextAttemptAt }) => nextAttemptAt === undefined);
      const waiting = found.filter(({ nextAttemptAt }) => nextAttemptAt !== undefined);
      const operations = waiting.map((message) => {
        const isReachable = message.held || !message.nextAttemptAt || message.nextAttemptAt <= reachable;
        const name = { ...named(message), accountId: id, nextAttemptAt: { $exists: true } };
        const filter = isReachable ? name : { ...name, nextAttemptAt: { $gt: reachable } };
        const change = { $set: { cancelRequestedAt: now } };
        const update = isReachable ? change : { ...change, $unset: { nextAttemptAt: "" as const } };
        return { updateOne: { filter, update } };
      });
      if (operations.length > 0) await guarded(messages.bulkWrite(operations, { ordered: false }));
      await removeMessages(id, gone);
      const last = found.length < MESSAGES_AT_ONCE ? undefined : found.at(-1)?._id;
      return { removed: gone.length, waiting: waiting.length, after: last };
    },

    /** Removes all else, once no message is there. */
    async removeSettings(id: string, now: Date): Promise<void> {
      await removeFrom(SETTINGS, id);
      await sandbox.forAccount(id).clear(systemAudit("account.delete", "", now));
    },

    /** Nothing is left of it. */
    finish: (id: string) => guarded(deletions.deleteOne({ _id: id })).then(() => undefined),
  };
}
