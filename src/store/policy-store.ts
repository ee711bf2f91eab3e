import type { Db, Filter } from "mongodb";
import { afterPage, type ListPage } from "./list-page.ts";
import type { PolicyDocument } from "./policy-document.ts";
import { openPolicy, POLICIES, type StoredPolicy, sealPolicy } from "./sealing/sealed-policy.ts";
import type { Sealing } from "./sealing/sealing.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";

/** A policy before it is stored: its id follows from its account and its name. */
export type NewPolicy = Omit<PolicyDocument, "_id" | "accountId">;

export function createPolicyStore(db: Db, sealing: Sealing) {
  const policies = db.collection<StoredPolicy>(POLICIES);
  const open = (stored: StoredPolicy) => openPolicy(sealing, stored);

  async function findOne(filter: Filter<StoredPolicy>): Promise<PolicyDocument | null> {
    const stored = await guarded(policies.findOne(filter));
    return stored && open(stored);
  }

  return {
    forAccount: (accountId: string) => ({
      /**
       * Creates or replaces the policy of this name. A default takes the place of the former one in the same moment.
       * @param make the new policy, which may keep something of the former one; called again when another writer was faster
       */
      async replace(
        name: string,
        make: (former: () => PolicyDocument | undefined) => NewPolicy,
      ): Promise<PolicyDocument> {
        const replacing = inTransaction(
          db.client,
          async (session) => {
            const former = await policies.findOne({ accountId, name }, { session });
            const content = make(() => (former ? open(former) : undefined));
            const policy = { ...content, _id: `${accountId}.${content.name}`, accountId };
            if (policy.default) {
              const others = { accountId, default: true, name: { $ne: name } };
              await policies.updateMany(others, { $set: { default: false } }, { session });
            }
            // Replaced, not changed: what the new one leaves out is gone.
            await policies.replaceOne({ accountId, name }, sealPolicy(sealing, policy), {
              upsert: true,
              session,
            });
            return policy;
          },
          { retryDuplicates: true },
        );
        return guarded(replacing);
      },

      find: (name: string) => findOne({ accountId, name }),
      findDefault: () => findOne({ accountId, default: true }),

      /** By name. */
      async list(page: ListPage): Promise<PolicyDocument[]> {
        const found = policies
          .find(afterPage(accountId, page, "name"))
          .sort({ name: 1 })
          .limit(page.limit);
        return (await guarded(found.toArray())).map(open);
      },
    }),
  };
}
