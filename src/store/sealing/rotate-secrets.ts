import type { Collection, Db, Document, Filter } from "mongodb";
import { Fault } from "../../shared/fault.ts";
import { type SealedCollection, sealedCollections } from "../collections/collections.ts";
import { readEach } from "../read-each.ts";
import { guarded } from "../store-fault.ts";
import { missingSecretKeys } from "./missing-keys.ts";
import type { SealedFields, Sealing } from "./sealing.ts";

/** Progress of a rotation: everything up to this document of this collection is processed. */
export interface RotationPosition {
  readonly collection: number;
  readonly afterId: string;
}

export interface RotationStep {
  /** Number of processed documents. */
  readonly seen: number;
  /** Number of documents that were re-encrypted. */
  readonly sealed: number;
  /** Documents that could not be encrypted with the first key, with the reasons. They stay unchanged. */
  readonly failures: readonly string[];
  /** Undefined: everything is processed. */
  readonly next: RotationPosition | undefined;
}

type Resealed = "sealed" | "unchanged" | { readonly failure: string };

const DOCUMENTS_PER_STEP = 100;
/** Attempts for a document that is changed concurrently. */
const TRIES = 5;

/**
 * Re-encrypts stored secrets with the first key, in steps, including secrets in plain text. Concurrent reads and
 * writes are allowed. A repeated step has nothing to do.
 */
export function createSecretRotation(db: Db, sealing: Sealing) {
  async function resealOne(
    collection: Collection<Document>,
    sealed: SealedCollection,
    found: Document,
  ): Promise<Resealed> {
    let document: Document | null = found;
    for (let n = 0; document !== null && n < TRIES; n++) {
      const changed = attempt(sealing, sealed, document);
      if (changed === undefined) return "unchanged";
      if (changed instanceof Fault) return { failure: changed.message };
      // Only unchanged fields: a concurrently stored policy keeps its new passwords.
      const filter: Filter<Document> = { _id: document._id };
      for (const field of [...sealed.fields, "sealedWith"])
        filter[field] = document[field] ?? { $exists: false };
      const { matchedCount } = await guarded(collection.updateOne(filter, { $set: changed }));
      if (matchedCount === 1) return "sealed";
      document = await guarded(collection.findOne({ _id: document._id }));
    }
    return document === null
      ? "unchanged"
      : { failure: `${document._id} in ${sealed.name} changes too often to be encrypted again` };
  }

  /** Another process may have written with its own first key in the meantime. */
  async function stillNeeded(): Promise<string[]> {
    const others = await missingSecretKeys(db, { keyIds: [sealing.keyId] });
    return others.map(
      (id) =>
        `the key ${id} is still needed for values that could not be decrypted or were written in the meantime`,
    );
  }

  return {
    keyId: sealing.keyId,

    /** Approximate number of documents to process. */
    async total(): Promise<number> {
      const counts = sealedCollections.map(({ name }) =>
        guarded(db.collection(name).estimatedDocumentCount()),
      );
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    },

    /** Processes the next documents. @throws Fault store.unavailable */
    async step({ collection: index, afterId }: RotationPosition): Promise<RotationStep> {
      const kind = sealedCollections[index];
      if (!kind) return { seen: 0, sealed: 0, failures: [], next: undefined };
      const collection = db.collection<Document>(kind.name);
      const behind: Filter<Document> = { _id: { $gt: afterId as never } };
      const { documents, unreadable } = await readEach<Document & { readonly _id: unknown }>((options) =>
        collection.find(behind, options).sort({ _id: 1 }).limit(DOCUMENTS_PER_STEP),
      );
      // Concurrently, because they then share their commits.
      const results = await Promise.all(documents.map((document) => resealOne(collection, kind, document)));
      const sealed = results.filter((result) => result === "sealed").length;
      const failures = [
        ...results.flatMap((result) => (typeof result === "object" ? result.failure : [])),
        ...unreadable.map(({ id, reason }) => `${id} in ${kind.name} cannot be read: ${reason}`),
      ];
      const seen = documents.length + unreadable.length;
      const ids = documents.map(({ _id }) => String(_id));
      ids.push(...unreadable.flatMap(({ id, isAddressable }) => (isAddressable ? id : [])));
      const last = ids.sort().at(-1);
      const isLast = seen < DOCUMENTS_PER_STEP || last === undefined;
      const next = isLast ? { collection: index + 1, afterId: "" } : { collection: index, afterId: last };
      const isEnd = isLast && index === sealedCollections.length - 1;
      if (isEnd) failures.push(...(await stillNeeded()));
      return { seen, sealed, failures, next: isEnd ? undefined : next };
    },
  };
}

function attempt(
  sealing: Sealing,
  { fields, reseal }: SealedFields,
  document: Document,
): Document | Fault | undefined {
  if (document.sealedWith === sealing.keyId) return undefined;
  try {
    const resealed: Document = reseal(sealing, document as never);
    if (resealed.sealedWith === undefined) return undefined;
    const written = [...fields, "sealedWith"].filter((field) => resealed[field] !== undefined);
    return Object.fromEntries(written.map((field) => [field, resealed[field]]));
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}
