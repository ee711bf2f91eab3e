import { randomBytes } from "node:crypto";
import { Binary, type Db } from "mongodb";
import { fault } from "../shared/fault.ts";
import { bytesOf } from "./chunk-store.ts";
import type { SecretDocument } from "./documents.ts";
import { guarded } from "./store-fault.ts";

const SECRET_BYTES = 32;

/** Secrets that all processes of an installation share, each made when it is first asked for. */
export function createSecretStore(db: Db) {
  const secrets = db.collection<SecretDocument>("secrets");

  return {
    /** The secret of this name, 32 random bytes: the same for whoever asks, however many ask at once. */
    async getOrCreate(name: string): Promise<Buffer> {
      const found = await guarded(
        secrets.findOneAndUpdate(
          { _id: name },
          { $setOnInsert: { secret: new Binary(randomBytes(SECRET_BYTES)) } },
          { upsert: true, returnDocument: "after" },
        ),
      );
      if (!found) throw fault("store.unavailable", { internal: `the secret ${name} was not made` });
      return Buffer.from(bytesOf(found.secret));
    },
  };
}
