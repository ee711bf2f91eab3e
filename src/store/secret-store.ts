import { randomBytes } from "node:crypto";
import type { Db } from "mongodb";
import { fault } from "../shared/fault.ts";
import { openSecret, SECRETS, type StoredSecret, sealSecret } from "./sealing/sealed-secret.ts";
import type { Sealing } from "./sealing/sealing.ts";
import { guarded } from "./store-fault.ts";

const SECRET_BYTES = 32;

/** Secrets shared by all processes of an installation, each created on first use. */
export function createSecretStore(db: Db, sealing: Sealing) {
  const secrets = db.collection<StoredSecret>(SECRETS);

  return {
    /** The secret with this name, 32 random bytes: the same for all callers, also for concurrent ones. */
    async getOrCreate(name: string): Promise<Buffer> {
      const { _id, ...fields } = sealSecret(sealing, name, randomBytes(SECRET_BYTES));
      const found = await guarded(
        secrets.findOneAndUpdate(
          { _id },
          { $setOnInsert: fields },
          { upsert: true, returnDocument: "after" },
        ),
      );
      if (!found) throw fault("store.unavailable", { internal: `the secret ${name} was not created` });
      return openSecret(sealing, found);
    },
  };
}
