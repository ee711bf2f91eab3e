import type { Db } from "mongodb";
import type { PolicyDocument } from "./policy-document.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";

export function createPolicyStore(db: Db) {
  const policies = db.collection<PolicyDocument>("policies");

  return {
    /** Creates or replaces the policy of this name. A default takes the place of the former one in the same moment. */
    async put(policy: PolicyDocument): Promise<void> {
      const { accountId, name } = policy;
      const putting = inTransaction(
        db.client,
        async (session) => {
          if (policy.default) {
            const former = { accountId, default: true, name: { $ne: name } };
            await policies.updateMany(former, { $set: { default: false } }, { session });
          }
          // Replaced, not changed: what the new one leaves out is gone.
          await policies.replaceOne({ accountId, name }, policy, { upsert: true, session });
        },
        { retryDuplicates: true },
      );
      await guarded(putting);
    },

    find: (accountId: string, name: string) => guarded(policies.findOne({ accountId, name })),
    findDefault: (accountId: string) => guarded(policies.findOne({ accountId, default: true })),
    list: (accountId: string) => guarded(policies.find({ accountId }).sort({ name: 1 }).toArray()),
  };
}
