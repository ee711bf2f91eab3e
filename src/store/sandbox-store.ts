import { Binary, type Db, type Filter } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { bytesOf, createChunkStore, INLINE_MAX_BYTES } from "./chunk-store.ts";
import { insertMissing } from "./insert-missing.ts";
import type { SandboxDocument } from "./message-documents.ts";
import { everybodys, type Owner } from "./owner.ts";
import { readEach, type UnreadableDocument } from "./read-each.ts";
import type { SealedBodyStore } from "./sealing/sealed-body.ts";
import { guarded } from "./store-fault.ts";

export type CapturedSummary = Omit<SandboxDocument, "source" | "chunkCount" | "sealed">;

export interface CapturedMessage extends Omit<CapturedSummary, "_id" | "sizeBytes"> {
  /** The message id. */
  readonly id: string;
  readonly source: Uint8Array;
  /** The source is encrypted in the store. */
  readonly isSecret?: boolean;
}

export interface CapturedPage {
  readonly beforeId: string | undefined;
  readonly limit: number;
}

const SUMMARY = {
  accountId: 1,
  traceId: 1,
  envelopeFrom: 1,
  envelopeTo: 1,
  from: 1,
  subject: 1,
  sizeBytes: 1,
  capturedAt: 1,
  expireAt: 1,
} as const;

type Apart = Pick<SandboxDocument, "_id" | "chunkCount" | "sealed">;
const APART = { _id: 1, chunkCount: 1, sealed: 1 } as const;

interface SandboxTarget {
  readonly kind: "sandbox";
  readonly id: string;
  readonly name: string;
}

const CLEARED_AT_ONCE = 500;
const ALL: SandboxTarget = { kind: "sandbox", id: "", name: "" };

export function createSandboxStore(db: Db, writes: AuditedWrites, sealedBodies: SealedBodyStore) {
  const chunks = createChunkStore(db);
  const captured = db.collection<SandboxDocument>("sandboxMessages");

  /** Removes messages, and writes one entry of the audit log for all of them. */
  function remove(those: Filter<SandboxDocument>, audit: Audit, owner: Owner, target = ALL): Promise<number> {
    return writes.transact(async (session) => {
      const { deletedCount: count } = await captured.deleteMany(those, { session });
      if (count === 0) return 0;
      const change = { target, before: { count }, after: undefined };
      await writes.note(session, owner.accountId ?? "", audit, change);
      return count;
    });
  }

  /** Removes data outside of the documents before the documents: without its message it could not be found. */
  async function removeApart(step: readonly Apart[]): Promise<void> {
    for (const { _id, chunkCount } of step) if (chunkCount) await chunks.remove(_id, chunkCount);
    await sealedBodies.remove(step.filter(({ sealed }) => sealed).map(({ _id }) => _id));
  }

  async function sourceOf({ _id: id, source, sealed, chunkCount = 0 }: SandboxDocument): Promise<Uint8Array> {
    if (source) return bytesOf(source);
    return sealed ? sealedBodies.read(id) : chunks.read(id, chunkCount);
  }

  /** Functions for both scopes: the messages of one account, or of all. */
  const within = (owner: Owner) => ({
    /** Newest first, without their source. */
    async list({ beforeId, limit }: CapturedPage): Promise<CapturedSummary[]> {
      const filter = { ...owner, ...(beforeId !== undefined && { _id: { $lt: beforeId } }) };
      const { documents, unreadable } = await readEach<CapturedSummary>(
        (options) =>
          captured
            .find(filter, { projection: SUMMARY, ...options })
            .sort({ _id: -1 })
            .limit(limit),
        summaryFault,
      );
      return [...documents, ...unreadable.map(damagedSummary)].sort((a, b) => (a._id > b._id ? -1 : 1));
    },

    async find(id: string): Promise<(CapturedSummary & { readonly source: Uint8Array }) | undefined> {
      const found = await guarded(captured.findOne({ _id: id, ...owner }));
      if (!found) return undefined;
      return { ...found, source: await sourceOf(found) };
    },

    /** @returns false: there is none */
    async remove(id: string, audit: Audit): Promise<boolean> {
      const found = await guarded(
        captured.findOne({ _id: id, ...owner }, { projection: { ...APART, subject: 1 } }),
      );
      if (!found) return false;
      await removeApart([found]);
      const target = { kind: "sandbox", id, name: found.subject ?? "" } as const;
      return (await guarded(remove({ _id: id, ...owner }, audit, owner, target))) > 0;
    },

    /**
     * Removes the messages captured before the call, in steps. After an interruption, the rest can be cleared again.
     * @returns the number of removed messages
     */
    async clear(audit: Audit): Promise<number> {
      const ids = captured.find(owner).project<Apart>(APART);
      const [newest] = await guarded(ids.clone().sort({ _id: -1 }).limit(1).toArray());
      if (!newest) return 0;
      const before = { ...owner, _id: { $lte: newest._id } };
      let deleted = 0;
      for (;;) {
        const step = await guarded(
          ids.clone().filter(before).sort({ _id: 1 }).limit(CLEARED_AT_ONCE).toArray(),
        );
        if (step.length === 0) return deleted;
        await removeApart(step);
        const those = { ...owner, _id: { $in: step.map(({ _id }) => _id) } };
        deleted += await guarded(remove(those, audit, owner));
      }
    },
  });

  async function bodyOf({ id, source, isSecret = false, expireAt }: CapturedMessage) {
    if (isSecret) {
      await sealedBodies.write(id, source, expireAt);
      return { sealed: true as const };
    }
    if (source.length <= INLINE_MAX_BYTES) return { source: new Binary(source) };
    return { chunkCount: await chunks.write(id, source, expireAt) };
  }

  return {
    forAccount: (accountId: string) => within({ accountId }),

    acrossAccounts: {
      ...within(everybodys),

      /** Captures messages. An existing one, from a crashed attempt, stays unchanged. */
      async insertMissing(messages: readonly CapturedMessage[]): Promise<void> {
        const documents: SandboxDocument[] = [];
        for (const message of messages) {
          const { id, source, isSecret: _, ...fields } = message;
          documents.push({ _id: id, ...fields, ...(await bodyOf(message)), sizeBytes: source.length });
        }
        await insertMissing(captured, documents);
      },
    },
  };
}

function summaryFault({ envelopeTo, capturedAt }: CapturedSummary): string | undefined {
  if (!Array.isArray(envelopeTo)) return "envelopeTo: it is not a list";
  return capturedAt instanceof Date ? undefined : "capturedAt: it is not a date";
}

/** Placeholder for an unreadable message. It keeps its position. */
function damagedSummary({ id, reason, fields }: UnreadableDocument): CapturedSummary {
  const text = (name: string) => {
    const value = fields.get(name);
    return typeof value === "string" ? value : "";
  };
  const time = (name: string) => {
    const value = fields.get(name);
    return value instanceof Date ? value : new Date(0);
  };
  return {
    _id: id,
    accountId: text("accountId"),
    traceId: text("traceId"),
    envelopeFrom: text("envelopeFrom"),
    envelopeTo: [],
    from: text("from"),
    subject: `(damaged in the database: ${reason})`,
    sizeBytes: 0,
    capturedAt: time("capturedAt"),
    expireAt: time("expireAt"),
  };
}
