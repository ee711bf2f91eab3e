import type { Db } from "mongodb";
import { fault } from "../shared/fault.ts";
import type { MtaStsDocument } from "./documents.ts";
import { readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";

export type MtaStsStore = ReturnType<typeof createMtaStsStore>;

/** MTA-STS policies of recipients' domains, each until its expiry. */
export function createMtaStsStore(db: Db) {
  const policies = db.collection<MtaStsDocument>("mtaStsPolicies");

  return {
    /**
     * May return an expired policy.
     * @throws Fault store.unavailable, internal.error: it is unreadable
     */
    async find(domain: string): Promise<MtaStsDocument | null> {
      const { documents, unreadable } = await readEach(
        (options) => policies.find({ _id: domain }, options),
        policyFault,
      );
      const [damaged] = unreadable;
      if (!damaged) return documents[0] ?? null;
      throw fault("internal.error", { internal: `the stored policy is unreadable: ${damaged.reason}` });
    },

    /** Replaces the existing policy, damaged or not. */
    async put(policy: MtaStsDocument): Promise<void> {
      await guarded(policies.replaceOne({ _id: policy._id }, policy, { upsert: true }));
    },
  };
}

function policyFault({ policyId, mode, mx, fetchedAt, expireAt }: MtaStsDocument): string | undefined {
  if (typeof policyId !== "string") return "policyId: it is no text";
  if (!["enforce", "testing", "none"].includes(mode)) return "mode: it is none of its values";
  if (!Array.isArray(mx) || !mx.every((pattern) => typeof pattern === "string"))
    return "mx: it is no list of texts";
  if (!(fetchedAt instanceof Date)) return "fetchedAt: it is no date";
  return expireAt instanceof Date ? undefined : "expireAt: it is no date";
}
