import type { Db, Filter } from "mongodb";
import type { PolicyDocument } from "./policy-document.ts";
import { openPolicy, POLICIES, type StoredPolicy, sealPolicy } from "./sealing/sealed-policy.ts";
import type { Sealing } from "./sealing/sealing.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";

export function createPolicyStore(db: Db, sealing: Sealing) {
  const policies = db.collection<StoredPolicy>(POLICIES);
  const open = (stored: StoredPolicy) => openPolicy(sealing, stored);

  async function findOne(filter: Filter<StoredPolicy>): Promise<PolicyDocument | null> {
    const stored = await guarded(policies.findOne(filter));
    return stored && open(stored);
  }

  return {
    /** Creates or replaces the policy of this name. A default takes the place of the former one in the same moment. */
    async put(policy: PolicyDocument): Promise<void> {
      const { accountId, name } = policy;
      const stored = sealPolicy(sealing, policy);
      const putting = inTransaction(
        db.client,
        async (session) => {
          if (policy.default) {
            const former = { accountId, default: true, name: { $ne: name } };
            await policies.updateMany(former, { $set: { default: false } }, { session });
          }
          // Replaced, not changed: what the new one leaves out is gone.
          await policies.replaceOne({ accountId, name }, stored, { upsert: true, session });
        },
        { retryDuplicates: true },
      );
      await guarded(putting);
    },

    find: (accountId: string, name: string) => findOne({ accountId, name }),
    findDefault: (accountId: string) => findOne({ accountId, default: true }),
    list: async (accountId: string) =>
      (await guarded(policies.find({ accountId }).sort({ name: 1 }).toArray())).map(open),
  };
}
