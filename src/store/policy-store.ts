import type { Db } from "mongodb";
import type { PolicyDocument } from "./policy-document.ts";
import { guarded } from "./store-fault.ts";

export function createPolicyStore(db: Db) {
  const policies = db.collection<PolicyDocument>("policies");

  return {
    /** Creates or replaces the policy of this name. A default takes the place of the former one. */
    async put(policy: PolicyDocument): Promise<void> {
      const { accountId, name } = policy;
      if (policy.default) {
        await guarded(
          policies.updateMany(
            { accountId, default: true, name: { $ne: name } },
            { $set: { default: false } },
          ),
        );
      }
      // Replaced, not changed: what the new one leaves out is gone.
      await guarded(policies.replaceOne({ accountId, name }, policy, { upsert: true }));
    },

    find: (accountId: string, name: string) => guarded(policies.findOne({ accountId, name })),
    findDefault: (accountId: string) => guarded(policies.findOne({ accountId, default: true })),
    list: (accountId: string) => guarded(policies.find({ accountId }).sort({ name: 1 }).toArray()),
  };
}
