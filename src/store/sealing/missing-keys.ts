import type { Db } from "mongodb";
import { sealedCollections } from "../collections/collections.ts";
import { guarded } from "../store-fault.ts";
import { SECRETS } from "./sealed-secret.ts";
import type { Sealing } from "./sealing.ts";

/**
 * The ids of keys that something in this database is encrypted with and that are not among those given. As many look-ups
 * in an index as there are keys, however much is encrypted.
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
 * Whether this database is of a release that stored secrets in clear: then the few that Hermod makes for itself are so.
 * @throws Fault store.unavailable
 */
export async function hasClearSecrets(db: Db): Promise<boolean> {
  const secrets = db.collection<{ readonly sealedWith?: string }>(SECRETS);
  return (await guarded(secrets.findOne({ sealedWith: { $exists: false } }))) !== null;
}
