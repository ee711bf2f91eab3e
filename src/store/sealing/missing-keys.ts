import type { Db } from "mongodb";
import { sealedCollections } from "../collections/collections.ts";
import { guarded } from "../store-fault.ts";
import { SECRETS } from "./sealed-secret.ts";
import type { Sealing } from "./sealing.ts";

/**
 * Ids of the encryption keys in use in this database that are not among the given ones. It needs one index lookup per
 * key, independent of the amount of data.
 * @throws Fault store.unavailable
 */
export async function missingSecretKeys(db: Db, { keyIds }: Pick<Sealing, "keyIds">): Promise<string[]> {
  const missing = new Set<string>();
  for (const { name } of sealedCollections) {
    const collection = db.collection<{ readonly sealedWith?: string }>(name);
    for (let last: string | undefined = ""; last !== undefined; ) {
      const found: { readonly sealedWith?: string } | null = await guarded(
        collection.findOne(
          { sealedWith: { $gt: last } },
          { sort: { sealedWith: 1 }, projection: { sealedWith: 1 } },
        ),
      );
      last = found?.sealedWith;
      if (last !== undefined && !keyIds.includes(last)) missing.add(last);
    }
  }
  return [...missing].sort();
}

/**
 * Whether the database comes from a release that stored secrets in plain text: then the few secrets of Hermod itself
 * are plain.
 * @throws Fault store.unavailable
 */
export async function hasClearSecrets(db: Db): Promise<boolean> {
  const secrets = db.collection<{ readonly sealedWith?: string }>(SECRETS);
  return (await guarded(secrets.findOne({ sealedWith: { $exists: false } }))) !== null;
}
