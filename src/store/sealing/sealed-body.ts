import type { Binary, Db } from "mongodb";
import { UnreadableError } from "../chunk-store.ts";
import { guarded } from "../store-fault.ts";
import type { SealedFields, Sealing } from "./sealing.ts";

export const SEALED_BODIES = "sealedBodies";

/**
 * A body with a secret, such as a password reset link, in a separate small collection, which a rotation reads
 * completely. Its id is that of the content or of the captured message.
 */
export interface SealedBody {
  readonly _id: string;
  readonly body: Binary;
  readonly sealedWith: string;
  readonly expireAt: Date;
}

const locationOf = (documentId: string) => ({ collection: SEALED_BODIES, documentId, field: "body" });

export function sealBody(
  sealing: Sealing,
  { id, bytes, expireAt }: { readonly id: string; readonly bytes: Uint8Array; readonly expireAt: Date },
): SealedBody {
  return { _id: id, body: sealing.seal(bytes, locationOf(id)), sealedWith: sealing.keyId, expireAt };
}

/** @throws Fault store.unavailable if it cannot be decrypted */
export function openBody(sealing: Sealing, { _id: id, body, sealedWith }: SealedBody): Buffer {
  return sealing.open(body, sealedWith, locationOf(id));
}

export type SealedBodyStore = ReturnType<typeof createSealedBodyStore>;

/** Bodies that are encrypted in the store. They expire together with their owner. */
export function createSealedBodyStore(db: Db, sealing: Sealing) {
  const bodies = db.collection<SealedBody>(SEALED_BODIES);
  return {
    /** Writes a body. Idempotent. */
    async write(id: string, bytes: Uint8Array, expireAt: Date): Promise<void> {
      const { _id, ...fields } = sealBody(sealing, { id, bytes, expireAt });
      await guarded(bodies.updateOne({ _id }, { $set: fields }, { upsert: true }));
    },

    /** @throws UnreadableError if it is missing or cannot be decrypted */
    async read(id: string): Promise<Buffer> {
      const found = await guarded(bodies.findOne({ _id: id }));
      if (!found) throw new UnreadableError("the encrypted body is missing");
      try {
        return openBody(sealing, found);
      } catch (error) {
        throw new UnreadableError(error instanceof Error ? error.message : String(error));
      }
    },

    async remove(ids: readonly string[]): Promise<void> {
      if (ids.length > 0) await guarded(bodies.deleteMany({ _id: { $in: [...ids] } }));
    },
  };
}

export const sealedBodies: SealedFields = {
  turn: 5,
  fields: ["body"],
  reseal: (sealing, stored: SealedBody) =>
    sealBody(sealing, { id: stored._id, bytes: openBody(sealing, stored), expireAt: stored.expireAt }),
};
