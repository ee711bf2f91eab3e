import type { Collection, Db, Document, Filter } from "mongodb";
import { Fault } from "../../shared/fault.ts";
import { type SealedCollection, sealedCollections } from "../collections/collections.ts";
import { readEach } from "../read-each.ts";
import { guarded } from "../store-fault.ts";
import { missingSecretKeys } from "./missing-keys.ts";
import type { SealedFields, Sealing } from "./sealing.ts";

/** How far a rotation has come: everything up to this document of this collection has been looked at. */
export interface RotationPlace {
  readonly collection: number;
  readonly afterId: string;
}

export interface RotationStep {
  /** Documents that were looked at. */
  readonly seen: number;
  /** Those among them that were encrypted anew. */
  readonly sealed: number;
  /** What is not encrypted with the first key, and why, in words. It stays as it is. */
  readonly failures: readonly string[];
  /** Undefined: everything has been looked at. */
  readonly next: RotationPlace | undefined;
}

type Resealed = "sealed" | "unchanged" | { readonly failure: string };

const DOCUMENTS_PER_STEP = 100;
/** Enough for a document that somebody else changes meanwhile. */
const TRIES = 5;

/**
 * Encrypts what is stored anew with the first key, step by step; what was stored in clear, too. Others may read and
 * write meanwhile. A step that is repeated finds nothing left to do.
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
      // Only what is still as it was read: a policy that was put meanwhile keeps its new passwords.
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

  /** Another process may have written with its own first key behind this one's back. */
  async function stillNeeded(): Promise<string[]> {
    const others = await missingSecretKeys(db, { keyIds: [sealing.keyId] });
    return others.map(
      (id) =>
        `the key ${id} is still needed for values that could not be decrypted or were written in the meantime`,
    );
  }

  return {
    keyId: sealing.keyId,

    /** How many documents there are to look at, roughly. */
    async total(): Promise<number> {
      const counts = sealedCollections.map(({ name }) =>
        guarded(db.collection(name).estimatedDocumentCount()),
      );
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    },

    /** Sees to the next documents. @throws Fault store.unavailable */
    async step({ collection: index, afterId }: RotationPlace): Promise<RotationStep> {
      const kind = sealedCollections[index];
      if (!kind) return { seen: 0, sealed: 0, failures: [], next: undefined };
      const collection = db.collection<Document>(kind.name);
      const behind: Filter<Document> = { _id: { $gt: afterId as never } };
      const { documents, unreadable } = await readEach<Document & { readonly _id: unknown }>((options) =>
        collection.find(behind, options).sort({ _id: 1 }).limit(DOCUMENTS_PER_STEP),
      );
      // Together, for then they share their commits.
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
