import type { Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { holdId } from "./hold-document.ts";
import { MAX_HOLDS_OF_ACCOUNT, MAX_POLICY_HOLDS, type PolicyHoldDocument } from "./policy-hold-document.ts";
import { guarded } from "./store-fault.ts";

/** A hold before it is stored. */
export type NewPolicyHold = Pick<PolicyHoldDocument, "policy" | "destination" | "reason">;

/** Holds of policies by the members of their account. */
export function createPolicyHoldStore(db: Db, writes: AuditedWrites) {
  const holds = db.collection<PolicyHoldDocument>("policyHolds");
  const audited = writes.of("policy_hold", holds);

  return {
    forAccount: (accountId: string) => ({
      /**
       * Adds a hold, and writes an entry of the audit log. An existing hold stays unchanged.
       * @returns the resulting hold; undefined: the account has too many
       */
      add: (hold: NewPolicyHold, audit: Audit): Promise<PolicyHoldDocument | undefined> =>
        writes.transact(async (session) => {
          const _id = holdId({ accountId, ...hold });
          const known = await holds.findOne({ _id, accountId }, { session });
          if (known) return known;
          const options = { session, limit: MAX_HOLDS_OF_ACCOUNT };
          if ((await holds.countDocuments({ accountId }, options)) >= MAX_HOLDS_OF_ACCOUNT) return undefined;
          const added = { _id, accountId, ...hold, heldAt: audit.now(), heldBy: audit.actor };
          return audited.insert(session, audit, added);
        }),

      /** Removes a hold, and writes an entry of the audit log. @returns null: there was none */
      remove: (
        selection: Pick<PolicyHoldDocument, "policy" | "destination">,
        audit: Audit,
      ): Promise<PolicyHoldDocument | null> =>
        audited.take({ _id: holdId({ accountId, ...selection }), accountId }, audit),

      /** Holds of one policy: that of all its messages first, then by destination. */
      async ofPolicy(policy: string): Promise<PolicyHoldDocument[]> {
        const found = await guarded(holds.find({ accountId, policy }).toArray());
        return found.sort((a, b) => ((a.destination ?? "") < (b.destination ?? "") ? -1 : 1));
      },

      /** Holds of a message: of its policy, or of its policy and domain. */
      ofMessage: (policy: string, destination: string): Promise<PolicyHoldDocument[]> => {
        const ids = [holdId({ accountId, policy }), holdId({ accountId, policy, destination })];
        return guarded(holds.find({ accountId, _id: { $in: ids } }).toArray());
      },

      /** Number of all holds of the account, and the oldest ones. */
      async oldest(most: number): Promise<{ readonly count: number; readonly first: PolicyHoldDocument[] }> {
        const [count, first] = await Promise.all([
          guarded(holds.countDocuments({ accountId })),
          guarded(holds.find({ accountId }).sort({ heldAt: 1 }).limit(most).toArray()),
        ]);
        return { count, first };
      },
    }),

    acrossAccounts: {
      /** Whether the installation has its maximum of holds. */
      isFull: async (): Promise<boolean> => {
        const limit = MAX_POLICY_HOLDS;
        return (await guarded(holds.countDocuments({ _id: { $gt: "" } }, { limit }))) >= limit;
      },

      /** Ids of all holds. `holdId` forms the same ones. */
      async ids(): Promise<string[]> {
        const found = holds.find({ _id: { $gt: "" } }, { projection: { _id: 1 } });
        return (await guarded(found.toArray())).map(({ _id }) => _id);
      },
    },
  };
}
