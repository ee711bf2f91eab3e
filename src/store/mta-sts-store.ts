import type { Db } from "mongodb";
import type { MtaStsDocument } from "./documents.ts";
import { guarded } from "./store-fault.ts";

export type MtaStsStore = ReturnType<typeof createMtaStsStore>;

/** MTA-STS policies of recipients' domains, each for as long as it holds. */
export function createMtaStsStore(db: Db) {
  const policies = db.collection<MtaStsDocument>("mtaStsPolicies");

  return {
    /** One that has run out may still be there. */
    find: (domain: string) => guarded(policies.findOne({ _id: domain })),

    async put({ _id, ...fields }: MtaStsDocument): Promise<void> {
      await guarded(policies.updateOne({ _id }, { $set: fields }, { upsert: true }));
    },
  };
}
